import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { legible } from '../isolation/legible.ts';
import { DeclarationError } from '../registry/declaration-fault.ts';
import { listFiles } from './package-files.ts';

/** What was thrown, in words for the package's author: what, where, and the mend where one is known. */
export async function wordsFor(thrown: unknown, folder: string): Promise<string> {
  const error = legible(thrown);
  if (!(error instanceof Error)) return `Loading threw ${String(error)}.`;
  if (error instanceof DeclarationError) return error.message;
  const message = error.message.replace(/\s*\n[\s\S]*$/, '');
  if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') {
    const isPackage = message.startsWith('Cannot find package');
    return `${message}${isPackage ? '; install it in the folder of the module.' : '; add the file or mend the import.'}`;
  }
  const place = placeIn(error, folder) ?? (error instanceof SyntaxError ? await slipIn(folder) : null);
  return `${error.name}: ${message}${place ? ` (${place})` : ''}`;
}

/** The first line of the stack that lies in the package. */
function placeIn({ stack, message }: Error, folder: string): string | null {
  const lines = (stack ?? '').replace(message, '').replaceAll('file://', '').split('\n');
  for (const line of lines) {
    const at = line.indexOf(`${folder}/`);
    const found = at === -1 ? null : /^([^?:]+)(?:\?lyceum=\d+)?(:\d+)/.exec(line.slice(at));
    if (found) return `${found[1]}${found[2]}`;
  }
  return null;
}

/** Node does not say where JavaScript is broken; its reader of TypeScript, which reads JavaScript too, does. */
async function slipIn(folder: string): Promise<string | null> {
  const { files } = await listFiles(folder);
  for (const { file } of files.filter(({ path }) => /\.m?[jt]s$/.test(path))) {
    const source = await readFile(file, 'utf8').catch(() => '');
    try {
      stripTypeScriptTypes(source, { sourceUrl: file });
    } catch (error) {
      const place = placeIn(error as Error, folder);
      if (place) return place;
    }
  }
  return null;
}
