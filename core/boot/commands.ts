import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** Optional packages that carry an executable, by its name; each says in its own way where it lies. */
const packages: Readonly<Record<string, () => string>> = {
  ffmpeg: () =>
    path.join(path.dirname(require.resolve(`@ffmpeg-binary/${process.platform}-${process.arch}`)), 'ffmpeg'),
  ffprobe: () => (require('@ffprobe-installer/ffprobe') as { readonly path: string }).path,
};

function packagedCommand(name: string): string | null {
  const find = Object.hasOwn(packages, name) ? packages[name] : undefined;
  if (find === undefined) return null;
  try {
    const file = find();
    return isExecutable(file) ? file : null;
  } catch {
    // Not installed, or not made for this machine.
    return null;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The executable of this name: `<NAME>_PATH` when set, else the first on the `PATH`, else one that an optional
 * package carries; null when there is none.
 */
export function findCommand(name: string, environment: NodeJS.ProcessEnv): string | null {
  const given = environment[`${name.toUpperCase().replaceAll('-', '_')}_PATH`];
  if (given) return isExecutable(given) ? given : null;
  const folders = (environment.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => path.join(folder, name)).find(isExecutable) ?? packagedCommand(name);
}

/** Looks each command up once. */
export function commandFinder(environment: NodeJS.ProcessEnv): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const kept = known.get(name);
    if (kept !== undefined) return kept;
    const found = findCommand(name, environment) !== null;
    known.set(name, found);
    return found;
  };
}

/** Executables that modules run: found as conditions find them, each looked up once. */
export class Commands {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #known = new Map<string, string | null>();

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** Absolute path of the executable, or null. */
  find(name: string): string | null {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const found = findCommand(name, this.#environment);
    this.#known.set(name, found);
    return found;
  }
}
