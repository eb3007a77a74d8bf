import { setImmediate as nextTurn } from 'node:timers/promises';
import { documentHash, type Editor, pathsNamed, type TextForm } from '@lyceum/core';
import { isPath } from './check-path.ts';
import type { SentPage } from './sent-page.ts';

/** What the contents of a manifest say before anything is known of the site. */
export interface Contents {
  /** Keys of pages whose content does not have its hash. */
  readonly mismatched: ReadonlySet<string>;
  /** Every path that a content may name. */
  readonly named: ReadonlySet<string>;
}

/** How the texts of an editor name files. */
export const formOf = (editor: Editor): TextForm => (editor === 'pagebuilder' ? 'json' : 'plain');

/** Reads the contents that were sent, one at a time: others shall have their turn between two of 5 MiB. */
export async function readContents(pages: readonly SentPage[], signal: AbortSignal): Promise<Contents> {
  const mismatched = new Set<string>();
  const named = new Set<string>();
  for (const { key, hash, editor, content } of pages) {
    if (content === null) continue;
    if (documentHash(content) !== hash) mismatched.add(key);
    else for (const path of pathsNamed(content, formOf(editor))) if (isPath(path)) named.add(path);
    await nextTurn();
    signal.throwIfAborted();
  }
  return { mismatched, named };
}
