import type { Knex } from 'knex';
import type { Actor } from '../api/actor.ts';
import { type Document, documentChange, documentText, editorOf } from './document.ts';
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
    return this.#posts.update(trx, actor, post, { ...fields, ...documentChange(editorOf(post), content) });
  }
}
