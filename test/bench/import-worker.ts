import { pino } from 'pino';
import { builtinFolder, startHost } from '../../core/boot/host.ts';
import { testConfig } from '../kit/postgres.ts';

/** A process that only works, and tells how large it was when it began and at most since. */
const host = await startHost({
  config: testConfig(process.env.DATA_DIR ?? '', { workers: 'only' }),
  databaseUrl: process.env.DATABASE_URL ?? '',
  log: pino({ level: 'silent' }),
  folders: [builtinFolder],
  only: null,
  now: () => new Date(),
  onCoded: null,
});
const before = process.memoryUsage().rss;
let peak = before;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 10);
process.on('message', () => process.send?.({ before, peak }));
process.send?.({ port: host.port });
