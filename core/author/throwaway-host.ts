import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { loadConfig } from '../../config/load.ts';
import { builtinFolder, type Host, startHost } from '../boot/host.ts';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import type { FolderToRead } from '../discovery/package-folders.ts';

/** Boots the true host with these folders beside its own, on a database that is thrown away afterwards. */
export async function withThrowawayHost<T>(
  folders: readonly FolderToRead[],
  work: (host: Host) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'lyceum-check-'));
  // As root the database runs as another user, who must get in.
  await chmod(dataDir, 0o755);
  const embedded = await startEmbeddedPostgres({ dataDir, volatile: true, maxConnections: 50 });
  try {
    const host = await startHost({
      config: loadConfig({
        ...{ DATA_DIR: dataDir, PORT: '0', WORKERS: 'off', LOG_LEVEL: 'silent' },
        ADMIN_PASSWORD: randomBytes(12).toString('hex'),
      }),
      databaseUrl: embedded.url,
      log: pino({ level: 'silent' }),
      folders: [builtinFolder, ...folders],
      only: null,
      now: () => new Date(),
      onCoded: null,
    });
    try {
      return await work(host);
    } finally {
      await host.stop();
    }
  } finally {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
