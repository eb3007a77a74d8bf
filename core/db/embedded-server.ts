import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from './embedded-cluster.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { readIfPresent } from './embedded-files.ts';
import { birthOf, childOptions, commandLineOf, signal } from './embedded-process.ts';

/** A running server that this process started. */
export interface Server {
  readonly port: number;
  /** Resolves when the server is gone, for whatever reason. */
  readonly ended: Promise<void>;
  /** Fast shutdown: transactions are rolled back, the state is written. Resolves when the server is gone. */
  stop(): Promise<void>;
}

interface StartingServer extends Server {
  ready(): Promise<boolean>;
}

/** Replaying what a crash left is bounded by max_wal_size (1 GB); 5 min is far beyond that. */
const readyDeadlineMs = 300_000;
/** The host as a whole has 30 s to end. */
const fastShutdownMs = 15_000;
const immediateShutdownMs = 5_000;
/** A backend whose postmaster was killed may compute for client_connection_check_interval more. */
const leftoversDeadlineMs = 10_000;
const leftoverSigns = ['pre-existing shared memory block', 'lock file "postmaster.pid"'];
const portAttempts = 5;
/** A start takes 14 ms, a stop 8 ms. */
const pollMs = 3;

function settings(cluster: Cluster, port: number, maxConnections: number): Record<string, string | number> {
  const durability = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  return {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: maxConnections,
    superuser_reserved_connections: 0, // no superuser can log in: they would be lost to the host
    // What was touched once stays resident: 128 MB would break the promise of 150 MiB for an idle host.
    shared_buffers: '64MB',
    jit: 'off',
    autovacuum: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Four processes fewer (sum of resident sizes 42 instead of 68 MB): nobody replicates an embedded database.
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_logical_replication_workers: 0,
    io_method: 'sync',
    // Ends the statements of a host that is gone, so that the next one does not wait for them.
    client_connection_check_interval: '1s',
    // Errors of a statement go to its caller; in this file they would only spread tokens and fill the disk.
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(cluster.volatile ? durability : {}),
  };
}

/** Starts the server on a free port of 127.0.0.1 and waits until it accepts connections. */
export async function launchServer(
  cluster: Cluster,
  maxConnections: number,
  choosePort: () => Promise<number>,
): Promise<Server> {
  const deadline = Date.now() + leftoversDeadlineMs;
  for (let attempt = 1; ; attempt++) {
    await stopOrphan(cluster);
    const server = await spawnServer(cluster, maxConnections, await choosePort());
    if (await server.ready()) return server;
    const log = await readFile(logFile(cluster), 'utf8');
    const portTaken = log.includes('could not bind') && attempt < portAttempts;
    const leftovers = leftoverSigns.some((sign) => log.includes(sign)) && Date.now() < deadline;
    if (!portTaken && !leftovers) throw startError(cluster, log);
    if (leftovers) await wait(50);
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/**
 * Stops the server that a killed host left behind. Its pid file is believed only as far as the process of that
 * number is a postgres of this very folder. Any other is removed, because PostgreSQL refuses to start while the
 * number is anybody's, even that of a dead server which nobody has buried yet (up to 2 s without a proper init).
 * That loses nothing: what still uses the data is also known by its shared memory.
 */
export async function stopOrphan(cluster: Cluster): Promise<void> {
  const file = path.join(cluster.folder, 'postmaster.pid');
  const content = await readIfPresent(file);
  if (content === null) return;
  const pid = Math.abs(Number.parseInt(content, 10)); // negative: a single-user server
  const birth = await birthOf(pid);
  if (!(await servesCluster(pid, cluster))) return rm(file, { force: true });
  const gone = async (): Promise<boolean> => (await birthOf(pid)) !== birth;
  if (await stopByDegrees((name) => signal(pid, name), gone)) return;
  throw new EmbeddedPostgresError(
    `The PostgreSQL of an earlier run (process ${pid}) in ${cluster.folder} does not stop: end that process.`,
  );
}

async function servesCluster(pid: number, cluster: Cluster): Promise<boolean> {
  const commandLine = await commandLineOf(pid);
  return ['', '--single '].some((mode) => commandLine.includes(`postgres ${mode}-D ${cluster.folder} `));
}

async function spawnServer(cluster: Cluster, maxConnections: number, port: number): Promise<StartingServer> {
  const options = Object.entries(settings(cluster, port, maxConnections));
  const args = ['-D', cluster.folder, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  // The server writes the file itself: a pipe to the host would break with the host.
  const log = await open(logFile(cluster), 'w', 0o600);
  // Detached, into a session of its own: Ctrl-C in the host's terminal must not stop it before the host is done.
  const child = spawn(cluster.binaries.postgres, args, {
    ...childOptions(cluster.user),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.unref();
  stopAtExit(child);
  const end = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  await log.close();
  const ended = (): boolean =>
    child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const stop = async (): Promise<void> => {
    await stopByDegrees((name) => child.kill(name), ended);
  };
  return { port, stop, ended: end, ready: () => becomesReady(cluster, child, ended) };
}

/** A host that ends without stop() takes the server along; the server writes its state after the host is gone. */
function stopAtExit(child: ChildProcess): void {
  const stop = (): void => {
    child.kill('SIGINT');
  };
  const forget = (): void => {
    process.off('exit', stop);
  };
  process.once('exit', stop);
  child.once('exit', forget);
  child.on('error', child.pid === undefined ? forget : () => undefined);
}

/** True as soon as the server's pid file says so, false when the server has ended or is far too late. */
async function becomesReady(cluster: Cluster, child: ChildProcess, ended: () => boolean): Promise<boolean> {
  const deadline = Date.now() + readyDeadlineMs;
  while (!ended() && Date.now() < deadline) {
    const lines = ((await readIfPresent(path.join(cluster.folder, 'postmaster.pid'))) ?? '').split('\n');
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true;
    await wait(pollMs);
  }
  await stopByDegrees((name) => child.kill(name), ended);
  return false;
}

/** Fast shutdown, then immediate, then none at all; true when the server is gone. */
async function stopByDegrees(
  send: (name: NodeJS.Signals) => boolean,
  gone: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const degrees = [
    { name: 'SIGINT', patienceMs: fastShutdownMs },
    { name: 'SIGQUIT', patienceMs: immediateShutdownMs },
    { name: 'SIGKILL', patienceMs: immediateShutdownMs },
  ] as const;
  for (const { name, patienceMs } of degrees) {
    if (await gone()) return true;
    send(name);
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await wait(pollMs)) {
      if (await gone()) return true;
    }
  }
  return false;
}

function startError(cluster: Cluster, log: string): EmbeddedPostgresError {
  const reason = log.split('\n').findLast((line) => /FATAL: |PANIC: /.test(line)) ?? log.slice(-300);
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${cluster.folder} did not start: ` +
      `${reason.replace(/^.*(?=FATAL|PANIC)/, '')} (all of it: ${logFile(cluster)}).`,
  );
}

function logFile(cluster: Cluster): string {
  return path.join(cluster.dataDir, 'postgres.log');
}
