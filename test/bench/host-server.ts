import { pino } from 'pino';
import { builtinFolder, startHost } from '../../core/boot/host.ts';
import { testConfig } from '../kit/postgres.ts';
import { tellUsage } from './usage.ts';

/** The true host with every module, on the database it is given; prints its port. */
const host = await startHost({
  config: testConfig(process.env.DATA_DIR ?? '', { secretKey: process.env.SECRET_KEY ?? '' }),
  databaseUrl: process.env.DATABASE_URL ?? '',
  log: pino({ level: 'info' }, pino.destination('/dev/null')),
  folders: [builtinFolder],
  only: null,
  now: () => new Date(),
  onCoded: null,
});
tellUsage();
process.send?.({ port: host.port });
// An orderly end, so that `node --cpu-prof` writes what it saw.
process.on('SIGTERM', () => process.exit(0));
