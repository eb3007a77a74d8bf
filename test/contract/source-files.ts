import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The project's folder. */
export const projectFolder = path.resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the project's folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

const roots = ['core', 'modules', 'config', 'test'];

/** Every source file of the project, in order of path. */
export async function sourceFiles(): Promise<SourceFile[]> {
  const paths: string[] = [];
  for await (const found of glob(`{${roots.join(',')}}/**/*.{ts,js,mjs,tsx}`, { cwd: projectFolder })) {
    if (!found.split(path.sep).includes('node_modules')) paths.push(found);
  }
  return Promise.all(
    paths.sort().map(async (found) => ({
      path: found.split(path.sep).join('/'),
      text: await readFile(path.join(projectFolder, found), 'utf8'),
    })),
  );
}

/** Code without its comments, so that what a comment mentions is no use of it. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

/** What a file imports or exports from elsewhere, as it is written. */
export function specifiersOf({ text }: SourceFile): string[] {
  const code = withoutComments(text);
  const static_ = code.matchAll(/^\s*(?:import|export)\b[^;'"]*?\bfrom\s+['"]([^'"]+)['"]/gm);
  const bare = code.matchAll(/^\s*import\s+['"]([^'"]+)['"]/gm);
  const dynamic = code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  return [...static_, ...bare, ...dynamic].map(([, specifier = '']) => specifier);
}
