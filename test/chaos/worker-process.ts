import path from 'node:path';
import { pino } from 'pino';
import type { Workers } from '../../config/load.ts';
import { builtinFolder, startHost } from '../../core/boot/host.ts';
import { testConfig } from '../kit/postgres.ts';

/** A process of the installation whose database it is given, to be stopped and killed; see `processes.ts`. */
const host = await startHost({
  config: testConfig(process.env.DATA_DIR ?? '', { workers: (process.env.WORKERS ?? 'only') as Workers }),
  databaseUrl: process.env.DATABASE_URL ?? '',
  log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
  folders: [
    builtinFolder,
    {
      folder: process.env.WORKER_FOLDER ?? path.resolve(import.meta.dirname, '../core/packages'),
      source: 'folder',
      watched: false,
    },
  ],
  only: new Set(['host', 'modules', ...(process.env.WORKER_MODULES ?? 'test_worker').split(',')]),
  now: () => new Date(),
  onCoded: null,
});
process.on('SIGTERM', () => void host.stop().then(() => process.exit(0)));
process.send?.({ port: host.port });
