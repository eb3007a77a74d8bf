import { pino } from 'pino';
import { builtinFolder, startHost } from '../../core/boot/host.ts';
import { Crashes } from '../../core/isolation/crashes.ts';
import { StrayErrors } from '../../core/isolation/stray-errors.ts';
import { testConfig } from './postgres.ts';

/**
 * A process of its own that serves, on the database and files that it is given, and that treats errors which nobody
 * waits for as the true one does. Ends with code 3 for one of the host's own; a message makes it cause one.
 */
const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
let end = (): void => process.exit(2);
const strays = new StrayErrors(log, () => end());
strays.listen();
const host = await startHost({
  config: testConfig(process.env.DATA_DIR ?? '', {}),
  databaseUrl: process.env.DATABASE_URL ?? '',
  log,
  folders: [builtinFolder, { folder: process.env.HOST_FOLDER ?? '', source: 'folder', watched: false }],
  only: new Set((process.env.HOST_MODULES ?? '').split(',')),
  now: () => new Date(),
  onCoded: null,
});
strays.chargeTo(host.services.host(Crashes));
end = () => void host.stop().then(() => process.exit(3));
process.on('message', () => void Promise.reject(new Error('a fault of the host')));
process.send?.({ port: host.port });
