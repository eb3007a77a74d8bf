import { pino } from 'pino';
import { builtinFolder, startHost } from '../../core/boot/host.ts';
import { testConfig } from '../kit/postgres.ts';

/** A process that only works, and tells how large it was when it began and at most since, and what it computed. */
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
const cpu = process.cpuUsage();
let peak = before;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 10);
process.on('message', () => {
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ before, peak, cpuSeconds: (user + system) / 1_000_000 });
});
process.send?.({ port: host.port });
