import type { Attachment } from '../content/attachments/attachment.ts';
import type { DerivedFiles } from '../content/attachments/derived-files.ts';
import type { Post } from '../content/post.ts';
import type { Term } from '../content/term.ts';

/**
 * What is told to listeners, by kind. A notice is sent inside the transaction of its change: a listener that
 * throws undoes the change, and a coded error that it throws is what the client sees.
 *
 * A module adds kinds of its own in its `api.ts` by declaration merging:
 * `declare module '@lyceum/core' { interface NoticeKinds { 'poll.closed': { readonly pollId: number } } }`.
 */
export interface NoticeKinds {
  /**
   * Before a post is written, by whichever path. `before` is null for a new one, and locked otherwise; `after` is
   * what will be written, but that a taken slug may still get a number. Also sent when a post leaves the trash.
   * `copyOf` is given where the post is a copy of a single other one: what it has of that was checked there.
   */
  'post.writing': {
    readonly before: Post | null;
    readonly after: Post;
    readonly copyOf?: Post | null;
  };
  /**
   * A copy of a single post is there, on its site or on another one: what a module keeps beside `source` and what
   * is to be copied, it copies now. A copy of a whole site sends none.
   */
  'post.copied': { readonly source: Post; readonly post: Post };
  /**
   * Somebody uploaded a new attachment, its file included; its row is written. Imports, copies and replacements of a
   * file send none. A listener that throws undoes the upload.
   */
  'attachment.uploaded': { readonly attachment: Attachment };
  /** The post is in the trash now. */
  'post.trashed': { readonly post: Post };
  /** The post is out of the trash again; `post` shows it as it is now. */
  'post.restored': { readonly post: Post };
  /** The row is gone; what other modules kept of it may go too. */
  'post.deleted': { readonly post: Post };
  /**
   * Asks what was made of the attachment's file and would not fit another one, beside its playback artifacts; each
   * listener that knows of something calls `report`. The attachment is locked where a file is about to take the place of its file: whoever records
   * such work or its result locks it first (`Attachments.lock`), so that the answer stays true until the end.
   */
  'attachment.derived': {
    readonly attachment: Attachment;
    readonly report: (found: DerivedFiles) => void;
  };
  /**
   * Another file took the place of the attachment's: `after` has its key, type and sizes; its playback artifacts are
   * gone. What is remembered of the old file goes. `dropDerived`: so does all that was made of it, and work on it
   * ends; each listener says by `dropped` how many files it took away. It is false only where nothing was reported.
   */
  'attachment.replaced': {
    readonly before: Attachment;
    readonly after: Attachment;
    readonly dropDerived: boolean;
    readonly dropped: (files: number) => void;
  };
  /** The term and its assignments are gone; its children moved to its parent. */
  'term.deleted': { readonly term: Term };
  /** Before the account goes: its row is still there. Posts get their new author after it. */
  'user.deleted': { readonly userId: number };
}

/** Names of the notices, `<thing>.<what happens>`. */
export type NoticeKind = keyof NoticeKinds;

/** A notice of one of these kinds. */
export type Notice<K extends NoticeKind = NoticeKind> = {
  [N in K]: { readonly kind: N } & NoticeKinds[N];
}[K];
