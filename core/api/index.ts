/** The only door: everything a module may use. Its version is `api` in package.json's `lyceum` key. */
export type * from './actor.ts';
export * from './answers.ts';
export * from './area.ts';
export * from './call.ts';
export * from './conditions.ts';
export * from './errors.ts';
export * from './job.ts';
export * from './module.ts';
export * from './notices.ts';
export * from './operation.ts';
export * from './page.ts';
export { type Provide, type Provider, provide, type Token } from './provider.ts';
export * from './schedule.ts';
export * from './schema.ts';
export * from './secret.ts';
export * from './services.ts';
export * from './shortcode.ts';
