import { pino } from 'pino';
import type { LogLevel, Workers } from '../../config/load.ts';
import { builtinFolder, startHost } from '../../core/boot/host.ts';
import { testConfig } from './postgres.ts';

const folders = (process.env.HOST_FOLDERS ?? '').split(':').filter((folder) => folder !== '');

/** A process of its own, on the database and files that it is given: one that works, or one that serves. */
const log = pino({ level: (process.env.TEST_LOG ?? 'silent') as LogLevel });
const host = await startHost({
  config: testConfig(process.env.DATA_DIR ?? '', {
    workers: process.env.HOST_WORKERS as Workers,
    trustedProxies: ['127.0.0.1'],
    smtpUrl: process.env.HOST_SMTP_URL ?? null,
    baseUrl: process.env.HOST_BASE_URL ? new URL(process.env.HOST_BASE_URL) : null,
  }),
  databaseUrl: process.env.DATABASE_URL ?? '',
  log,
  folders: [
    builtinFolder,
    ...folders.map((folder) => ({ folder, source: 'folder' as const, watched: true })),
  ],
  only: new Set((process.env.HOST_MODULES ?? '').split(',')),
  now: () => new Date(),
  onCoded: null,
});
log.info('ready');
process.send?.({ port: host.port });
