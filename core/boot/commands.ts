import { accessSync, constants } from 'node:fs';
import path from 'node:path';

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The executable of this name: `<NAME>_PATH` when set, else the first on the `PATH`; null when there is none. */
export function findCommand(name: string, environment: NodeJS.ProcessEnv): string | null {
  const given = environment[`${name.toUpperCase().replaceAll('-', '_')}_PATH`];
  if (given) return isExecutable(given) ? given : null;
  const folders = (environment.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => path.join(folder, name)).find(isExecutable) ?? null;
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
