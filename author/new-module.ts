import { glob, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const starter = path.join(import.meta.dirname, 'starter');
const idForm = /^[a-z][a-z0-9_]{1,40}$/;

/** What keeps a module from being written, in words for its author. */
export class NewModuleError extends Error {}

/** The words that stand for the new module in the starter, and those that take their place. */
function wordsOf(id: string): readonly (readonly [string, string])[] {
  const title = id.replaceAll('_', ' ');
  return [
    ['my_module', id],
    ['my-module', id.replaceAll('_', '-').replace(/-+$/, '')],
    ['My module', `${title[0]?.toUpperCase()}${title.slice(1)}`],
  ];
}

/**
 * Writes a small working module with a test into a folder that is empty or not there.
 * @returns the files that were written, from the folder
 */
export async function writeModule(id: string, folder: string): Promise<string[]> {
  if (!idForm.test(id)) {
    throw new NewModuleError(`The id "${id}" must match ${idForm.source}: small letters, digits and _.`);
  }
  const there = await readdir(folder).catch(() => []);
  if (there.length > 0) throw new NewModuleError(`The folder ${folder} is not empty; name another one.`);
  const written: string[] = [];
  for await (const name of glob('**/*.*', { cwd: starter })) {
    let text = await readFile(path.join(starter, name), 'utf8');
    for (const [word, own] of wordsOf(id)) text = text.replaceAll(word, own);
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
    written.push(name);
  }
  return written.sort();
}
