import path from 'node:path';
import { ConfigError, loadConfig } from '../../config/load.ts';
import { variables } from '../../config/schema.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../db/embedded.ts';
import { Crashes } from '../isolation/crashes.ts';
import { StrayErrors } from '../isolation/stray-errors.ts';
import { checkDatabase } from './check-database.ts';
import { builtinFolder, type Host, installedPackages, startHost } from './host.ts';
import { createLog } from './log.ts';
import { growWithLoad } from './memory.ts';

/** Milliseconds that an orderly end may take. */
const stopLimitMs = 29_000;

const hostAllowed = `allowed is ${variables.HOST.allowed}`;

/** Prints one line for the operator and ends the process. */
function giveUp(message: string): never {
  process.stderr.write(`${message.replaceAll(/\s*\n\s*/g, ' ')}\n`);
  process.exit(1);
}

async function run(): Promise<void> {
  const started = performance.now();
  const config = loadConfig(process.env);
  if (config.databaseUrl !== null) await checkDatabase(config.databaseUrl);
  const log = createLog(config.logLevel);
  let end = (_code: number, _why: object): Promise<void> => process.exit(1);
  const strays = new StrayErrors(log, () => void end(1, { reason: 'a fault of the host' }));
  strays.listen();
  const embedded =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, volatile: false, maxConnections: 50 })
      : null;
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
  let host: Host;
  try {
    host = await startHost({
      config,
      databaseUrl,
      log,
      folders: [
        builtinFolder,
        ...config.modulesPath.map((folder) => ({ folder, source: 'folder' as const, watched: true })),
        installedPackages,
      ],
      only: null,
      now: () => new Date(),
      onCoded: null,
    });
    strays.chargeTo(host.services.host(Crashes));
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
  growWithLoad();
  const ready = Math.round(performance.now() - started);
  const url = host.addresses.site({
    domain: host.addresses.base.hostname,
    path: host.addresses.base.pathname,
  });
  log.info({ url, port: host.port, data: path.relative(process.cwd(), config.dataDir), ms: ready }, 'ready');
  if (host.firstStart?.generatedPassword) {
    const { login, generatedPassword } = host.firstStart;
    process.stdout.write(
      `\n  The first super admin is "${login}", password "${generatedPassword}". It is shown this once.\n\n`,
    );
  }
  let stopping = false;
  end = async (code, why) => {
    if (stopping) return;
    stopping = true;
    log.info(why, 'stopping');
    // Whatever hangs, the process is gone in time.
    setTimeout(() => process.exit(1), stopLimitMs).unref();
    await host.stop();
    await embedded?.stop();
    log.info('stopped');
    process.exit(code);
  };
  process.on('SIGTERM', () => void end(0, { signal: 'SIGTERM' }));
  process.on('SIGINT', () => void end(0, { signal: 'SIGINT' }));
}

try {
  await run();
} catch (error) {
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError) giveUp(error.message);
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    giveUp(
      `PORT: the address is ${code === 'EACCES' ? 'not permitted' : 'in use'} (${(error as Error).message}).`,
    );
  }
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    giveUp(`HOST: nothing can listen there (${(error as Error).message}), ${hostAllowed}.`);
  }
  giveUp(
    `The host could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
}
