import { type Call, type Editor, pathsNamed, resolveLocal } from '@lyceum/core';
import type { Knex } from 'knex';
import { isPath } from '../manifest/check-path.ts';
import { formOf } from '../manifest/contents.ts';
import { FileIndex } from '../plan/file-index.ts';
import { FileStore } from '../stores/file-store.ts';
import type { FileVersion } from '../stores/page-store.ts';

/** A source as it is stored in the document of a page. */
export interface PageText {
  readonly source: string;
  readonly document: string;
  /** Contents of the files that it names. */
  readonly files: readonly FileVersion[];
}

/** Puts the addresses of the project's files, as they are now, into a source. */
export async function pageText(
  trx: Knex.Transaction,
  call: Call,
  projectId: number,
  editor: Editor,
  source: string,
): Promise<PageText> {
  const form = formOf(editor);
  const paths = [...pathsNamed(source, form)].filter(isPath);
  const index = new FileIndex(call);
  for (const file of await call.get(FileStore).at(trx, projectId, paths)) index.set(file);
  const { text, named } = resolveLocal(source, form, (path) => index.urlOf(path));
  return { source, document: text, files: index.versions(named) };
}
