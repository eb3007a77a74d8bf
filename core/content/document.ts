import { createHash } from 'node:crypto';
import type { Post } from './post.ts';
import { projectPagebuilder } from './project-pagebuilder.ts';
import { projectTurbo } from './project-turbo.ts';

/** What edits a post, and so where its document lies. */
export type Editor = 'block' | 'pagebuilder' | 'turbo';

/** What an editor of a post edits: one text, and its hash. */
export interface Document {
  readonly editor: Editor;
  readonly content: string;
  /** Lower-case hex SHA-256 of the content's UTF-8 bytes, exactly as they are. */
  readonly hash: string;
}

type Edited = Pick<Post, 'content' | 'meta'>;

/** The meta key that holds the document where it is not the post's content. */
const keyOf = { pagebuilder: 'pagebuilder_data', turbo: 'turbo_html' } as const;

const emptyOf = { pagebuilder: '[]', turbo: '' } as const;

const project = { pagebuilder: projectPagebuilder, turbo: projectTurbo } as const;

/** The editor of a post: `meta.editor` when it is one, else `block`. */
export function editorOf({ meta }: Pick<Post, 'meta'>): Editor {
  return meta.editor === 'pagebuilder' || meta.editor === 'turbo' ? meta.editor : 'block';
}

/** The text that the post's editor edits. */
export function documentText(post: Edited): string {
  const editor = editorOf(post);
  if (editor === 'block') return post.content;
  const stored = post.meta[keyOf[editor]];
  return typeof stored === 'string' ? stored : emptyOf[editor];
}

/** Meta keys that say which editor a post has, and that hold its document. */
export function documentKeys(post: Pick<Post, 'meta'>): readonly string[] {
  const editor = editorOf(post);
  return editor === 'block' ? ['editor'] : ['editor', keyOf[editor]];
}

/** The hash by which editors know a document: SHA-256 of its UTF-8, 64 hex digits. */
export const documentHash = (content: string): string =>
  createHash('sha256').update(content, 'utf8').digest('hex');

/** The changes of a post that make `content` its document under the editor that it has. */
export function documentChange(
  editor: Editor,
  content: string,
): { readonly content: string } | { readonly meta: Readonly<Record<string, string>> } {
  return editor === 'block' ? { content } : { meta: { [keyOf[editor]]: content } };
}

/**
 * The content that a write leaves: where the document is kept in meta and was written, or the editor changed to
 * one that has a document, its readable HTML; else `after.content` as it was sent.
 */
export function projectedContent(before: Edited | null, after: Edited): string {
  const editor = editorOf(after);
  if (editor === 'block') return after.content;
  const stored = after.meta[keyOf[editor]];
  if (typeof stored !== 'string') return after.content;
  const same = before && editorOf(before) === editor && before.meta[keyOf[editor]] === stored;
  return same ? after.content : project[editor](stored);
}
