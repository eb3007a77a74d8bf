export { samples } from '../core/files-samples.ts';
export { openBrowser } from './browser.ts';
export { type Client, type Identity, nobody } from './client.ts';
export { cpuMs } from './cpu-time.ts';
export type { Factories, NewUser, TestSite, TestUser } from './factories.ts';
export { MailServer, type ReceivedMail } from './mail-server.ts';
export { avi, wav, wavHead } from './media-files.ts';
/** What the operations of the package `probe` share with the test that loads it. */
export * as probe from './modules/probe/state.ts';
export { jobsEnded, mailsTo, type OutboxMail, outboxOf } from './outbox.ts';
export { PackageFolder } from './package-folder.ts';
export { adminPassword } from './postgres.ts';
export { RawRequest } from './raw-request.ts';
/** Folder of packages that only tests load: `modules: ['probe'], folders: [testModules]`. */
export const testModules = new URL('./modules', import.meta.url).pathname;
export { runSchedule } from './schedule.ts';
export { countStatements } from './statements.ts';
export { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts';
export { type HostProcess, killWorker, startServer, startWorker } from './worker.ts';
