import path from 'node:path';
import { pino } from 'pino';
import { builtinFolder, startHost } from '../../core/boot/host.ts';
import { testConfig } from '../kit/postgres.ts';

/** A process that only works, to be killed: a host on the database that it is given. */
const host = await startHost({
  config: testConfig(process.env.DATA_DIR ?? '', { workers: 'only' }),
  databaseUrl: process.env.DATABASE_URL ?? '',
  log: pino({ level: 'silent' }),
  folders: [
    builtinFolder,
    {
      folder: process.env.WORKER_FOLDER ?? path.resolve(import.meta.dirname, '../core/packages'),
      source: 'folder',
    },
  ],
  only: new Set(['host', 'modules', ...(process.env.WORKER_MODULES ?? 'test_worker').split(',')]),
  now: () => new Date(),
  onCoded: null,
});
process.send?.({ port: host.port });
process.on('SIGTERM', () => void host.stop().then(() => process.exit(0)));
