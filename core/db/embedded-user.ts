import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './embedded-binaries.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { run, type SystemUser } from './embedded-process.ts';

/**
 * Who PostgreSQL runs as: null for the host's own user, and where that is root, whom PostgreSQL refuses, the
 * system user `postgres`, made when there is none; `nobody` where it cannot be made.
 */
export async function databaseUser(): Promise<SystemUser | null> {
  if (process.getuid?.() !== 0) return null;
  const user = (await findUser('postgres')) ?? (await createUser('postgres')) ?? (await findUser('nobody'));
  if (user) return user;
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and no system user postgres was found or could be made: ' +
      'run useradd --system postgres, start as an ordinary user, or set DATABASE_URL.',
  );
}

async function findUser(name: string): Promise<SystemUser | null> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => {
      const { code, output } = await run('id', [option, name], { user: null, input: '' });
      return code === 0 ? Number.parseInt(output, 10) : 0;
    }),
  );
  return uid && gid ? { name, uid, gid } : null;
}

async function createUser(name: string): Promise<SystemUser | null> {
  await run('groupadd', ['--system', name], { user: null, input: '' }); // fails where the group is there already
  await run('useradd', ['--system', '--no-create-home', '--gid', name, name], { user: null, input: '' });
  return findUser(name);
}

const cannotRun = 10;
const cannotEnter = 11;
const trial = `"$0" --version || exit ${cannotRun}; cd "$1" || exit ${cannotEnter}`;

/**
 * Starts the programs for a trial as the user they will run as, and enters the data folder as that user.
 * Throws one line that names the closed folder and the mend. Yields PostgreSQL's major version.
 */
export async function tryPrograms(
  binaries: Binaries,
  dataDir: string,
  user: SystemUser | null,
): Promise<number> {
  const { code, output } = await run('/bin/sh', ['-c', trial, binaries.postgres, dataDir], {
    user,
    input: '',
  });
  if (code === cannotEnter) throw await closedError(dataDir, user, output, 'DATA_DIR');
  if (code !== 0) throw await closedError(path.dirname(binaries.postgres), user, output, 'the installation');
  return Number(/PostgreSQL\) (\d+)/.exec(output)?.[1]);
}

async function closedError(
  folder: string,
  user: SystemUser | null,
  output: string,
  what: string,
): Promise<Error> {
  const closed = user && (await firstClosedFolder(folder, user));
  if (closed) {
    return new EmbeddedPostgresError(
      `The embedded PostgreSQL runs as the system user ${user.name}, who cannot enter the folder ${closed}: ` +
        `run chmod o+x ${closed}, move ${what} elsewhere, start as an ordinary user, or set DATABASE_URL.`,
    );
  }
  const reason = output.trim().split('\n').at(-1);
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot use ${folder} as the user ${user?.name ?? process.getuid?.()} ` +
      `(${reason}): mend that, or set DATABASE_URL.`,
  );
}

/** The uppermost folder on the way that the user may not pass, by its mode; null when the mode is not the reason. */
async function firstClosedFolder(folder: string, user: SystemUser): Promise<string | null> {
  const parent = path.dirname(folder);
  const above = parent === folder ? null : await firstClosedFolder(parent, user);
  if (above) return above;
  const { mode, uid, gid } = await stat(folder);
  const needed = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  return mode & needed ? null : folder;
}
