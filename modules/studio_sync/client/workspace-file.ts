import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const name = '.studio.json';

/** A document in the folder. */
export interface KnownDocument {
  /** Below the folder. */
  readonly path: string;
  /** Hash of the site's text on which the file is based. */
  readonly base: string;
  /** Hash of a text of the site that is in the way; null without a conflict. */
  readonly theirs: string | null;
}

/** What the folder remembers of the site. It holds the access token: for its owner's eyes only. */
export interface WorkspaceState {
  readonly api_url: string;
  readonly access_token: string;
  readonly connection_id: string;
  /** By post id. */
  readonly documents: Readonly<Record<string, KnownDocument>>;
}

export const readState = async (folder: string): Promise<WorkspaceState> =>
  JSON.parse(await readFile(path.join(folder, name), 'utf8')) as WorkspaceState;

export const writeState = (folder: string, state: WorkspaceState): Promise<void> =>
  replaceFile(path.join(folder, name), JSON.stringify(state, null, 2));

export const forgetState = (folder: string): Promise<void> => rm(path.join(folder, name));

/** The old file or the new one, never a piece. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.part`, text, { encoding: 'utf8', mode: 0o600 });
  await rename(`${file}.part`, file);
}

/** Null when it is not there. */
export async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
