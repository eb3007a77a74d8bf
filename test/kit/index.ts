export { type Client, type Identity, nobody } from './client.ts';
export type { Factories, NewUser } from './factories.ts';
export { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts';
