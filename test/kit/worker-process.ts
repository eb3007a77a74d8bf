import { pino } from 'pino';
import { builtinFolder, startHost } from '../../core/boot/host.ts';
import { testConfig } from './postgres.ts';

/** A process of its own that only works, or only serves, on the database and files that it is given. */
const host = await startHost({
  config: testConfig(process.env.DATA_DIR ?? '', {
    workers: process.env.WORKER_SERVES ? 'off' : 'only',
  }),
  databaseUrl: process.env.DATABASE_URL ?? '',
  log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
  folders: [builtinFolder],
  only: new Set((process.env.WORKER_MODULES ?? '').split(',')),
  now: () => new Date(),
  onCoded: null,
});
process.send?.({ port: host.port });
