import type { Editor } from './document.ts';

/** Who wrote the state: a client of the desktop studio, one of a local project, or anybody by another way. */
export type RevisionSource = 'host' | 'studio' | 'local';

/** A kept state of a document, without its text. */
export interface Revision {
  readonly revision_id: number;
  readonly hash: string;
  readonly title: string;
  readonly editor: Editor;
  readonly source: RevisionSource;
  /** null where nobody knows: the state was written by another way, or its writer is gone. */
  readonly user_id: number | null;
  readonly connection_id: string | null;
  readonly created_at: string;
  /** Of the text in UTF-8. */
  readonly bytes: number;
}

/** Who writes, and how many states of the post shall remain. */
export interface RevisionOrigin {
  readonly source: Exclude<RevisionSource, 'host'>;
  readonly userId: number;
  readonly connectionId: string | null;
  /** At least 1. */
  readonly keep: number;
}
