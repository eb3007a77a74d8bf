import type { Knex } from 'knex';
import type { Actor } from '../api/actor.ts';
import { type Document, documentChange, documentText, type Editor, editorOf } from './document.ts';
import type { Post } from './post.ts';
import type { PostFields } from './post-fields.ts';
import type { Posts } from './posts.ts';

/** The one text that the editor of a post edits, wherever the post keeps it. */
export class Documents {
  readonly #posts: Posts;

  constructor(posts: Posts) {
    this.#posts = posts;
  }

  /** The document of a post that was read. */
  of(post: Post): Document {
    return { editor: editorOf(post), content: documentText(post), hash: post.hash };
  }

  /**
   * Writes the document under the editor that the locked post has, with the readable HTML and the hash that follow
   * from it, and the given fields besides.
   */
  write(
    trx: Knex.Transaction,
    actor: Actor,
    post: Post,
    content: string,
    fields: Omit<PostFields, 'content' | 'meta'> = {},
  ): Promise<Post> {
    return this.writeAs(trx, actor, post, editorOf(post), content, fields);
  }

  /** The same under another editor, which the post has from then on. */
  writeAs(
    trx: Knex.Transaction,
    actor: Actor,
    post: Post,
    editor: Editor,
    content: string,
    fields: Omit<PostFields, 'content' | 'meta'>,
  ): Promise<Post> {
    const change = documentChange(editor, content);
    if (editor === editorOf(post)) return this.#posts.update(trx, actor, post, { ...fields, ...change });
    const meta = { ...('meta' in change ? change.meta : {}), editor };
    return this.#posts.update(trx, actor, post, { ...fields, ...change, meta });
  }
}
