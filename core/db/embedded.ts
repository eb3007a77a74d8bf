import { chmod, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { findBinaries } from './embedded-binaries.ts';
import {
  type Cluster,
  changePassword,
  clusterExists,
  createCluster,
  databaseName,
  ownCluster,
} from './embedded-cluster.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { keepRunning } from './embedded-keeper.ts';
import { lockDataFolder } from './embedded-lock.ts';
import { newPassword, readPassword, storePassword } from './embedded-password.ts';
import { freePort, launchServer, stopOrphan } from './embedded-server.ts';
import { databaseUser, tryPrograms } from './embedded-user.ts';

export { EmbeddedPostgresError } from './embedded-error.ts';

/** A PostgreSQL of the host's own, running as long as the host does. */
export interface EmbeddedPostgres {
  /** Connection URL, with password, to the database `lyceum`; its role owns it and may create others. */
  readonly url: string;
  /** Stops the server (fast shutdown), waits for it, gives the data folder free; idempotent. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** absolute folder; the cluster lives in `<dataDir>/postgres` */
  readonly dataDir: string;
  /** true for tests: fsync off, synchronous_commit off, full_page_writes off; nothing survives a crash */
  readonly volatile: boolean;
  /** connections that may be open at once, all of them the host's */
  readonly maxConnections: number;
}

/**
 * Starts the embedded PostgreSQL of a data folder, and makes it first where there is none (0.4 s; later starts
 * 0.05 s). It listens on a free port of 127.0.0.1 alone, and only to the password in `<dataDir>/postgres.password`.
 *
 * One process has the folder at a time. After a `kill -9` of host, server or both the next start works: what
 * still runs is stopped, what was committed is there. A host that exits without `stop()` takes the server along;
 * a signal to the host does not reach the server, so that requests in flight can end. A server that dies by
 * itself is started again at the same address; until then connections fail.
 *
 * @throws EmbeddedPostgresError one line for the operator: folder in use, closed to the database's user, of
 * another PostgreSQL version, or what PostgreSQL itself gave as the reason.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError('The embedded PostgreSQL runs on Linux and macOS: set DATABASE_URL.');
  }
  try {
    // A new folder shows its names to nobody else, and lets the database's user through to its own.
    if (await mkdir(options.dataDir, { recursive: true })) await chmod(options.dataDir, 0o711);
    return await startLocked({ ...options, dataDir: await realpath(options.dataDir) });
  } catch (error) {
    throw isFileError(error) ? fileError(options.dataDir, error) : error;
  }
}

async function startLocked(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const lock = await lockDataFolder(options.dataDir);
  try {
    const cluster = await findCluster(options);
    const password = await prepare(cluster);
    const server = await launchServer(cluster, options.maxConnections, freePort);
    const again = () => launchServer(cluster, options.maxConnections, async () => server.port);
    return running(server.port, password, keepRunning(server, again), lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function findCluster({ dataDir, volatile }: EmbeddedOptions): Promise<Cluster> {
  const [binaries, user] = await Promise.all([findBinaries(), databaseUser()]);
  const major = await tryPrograms(binaries, dataDir, user);
  return { dataDir, folder: path.join(dataDir, 'postgres'), binaries, user, major, volatile };
}

/** Brings the folder to where a server can start in it. Yields the role's password. */
async function prepare(cluster: Cluster): Promise<string> {
  const exists = await clusterExists(cluster);
  const stored = await readPassword(cluster.dataDir);
  const password = stored ?? newPassword();
  if (!exists) {
    if (!stored) await storePassword(cluster.dataDir, password);
    await createCluster(cluster, password);
    return password;
  }
  await stopOrphan(cluster);
  await ownCluster(cluster);
  if (!stored) {
    // In this order: a password that is stored is the role's.
    await changePassword(cluster, password);
    await storePassword(cluster.dataDir, password);
  }
  return password;
}

function running(
  port: number,
  password: string,
  stopServer: () => Promise<void>,
  release: () => void,
): EmbeddedPostgres {
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= stopServer().finally(release);
    return stopped;
  };
  return { url: `postgres://${databaseName}:${password}@127.0.0.1:${port}/${databaseName}`, stop };
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

function fileError(dataDir: string, error: NodeJS.ErrnoException): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL of ${dataDir} cannot start (${error.message}): ` +
      'mend that, set another DATA_DIR, or set DATABASE_URL.',
    { cause: error },
  );
}
