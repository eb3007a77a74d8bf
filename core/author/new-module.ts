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

const project = path.resolve(import.meta.dirname, '../..');

/** Leads editors and `tsc` to the types of the host, for a module that lies outside of the project. */
function typesFor(folder: string): string {
  const host = (target: string): string =>
    path.relative(folder, path.join(project, target)).split(path.sep).join('/');
  const paths = {
    '@lyceum/core': [host('core/api/index.ts')],
    '@lyceum/core/testing': [host('core/testing/index.ts')],
    '@lyceum/module/*': [host('modules/*/api.ts')],
    knex: [host('node_modules/knex/types/index.d.ts')],
  };
  const compilerOptions = { typeRoots: [host('node_modules/@types')], paths };
  const config = { extends: host('tsconfig.json'), compilerOptions, include: ['.'] };
  return `${JSON.stringify(config, null, 2)}\n`;
}

const isOutside = (folder: string): boolean => path.relative(project, folder).startsWith('..');

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
  if (isOutside(folder)) {
    await writeFile(path.join(folder, 'tsconfig.json'), typesFor(folder), { flag: 'wx' });
    written.push('tsconfig.json');
  }
  return written.sort();
}
