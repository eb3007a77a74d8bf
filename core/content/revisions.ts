import type { Knex } from 'knex';
import type { Actor } from '../api/actor.ts';
import type { Database } from '../db/database.ts';
import type { Editor } from './document.ts';
import type { Documents } from './documents.ts';
import type { Post } from './post.ts';
import type { PostFields } from './post-fields.ts';
import type { Revision, RevisionOrigin } from './revision.ts';
import type { PostState, RevisionStore } from './revision-store.ts';

/** What is written of a document and of its post. */
export interface DocumentWrite {
  readonly content: string | null;
  readonly editor?: Editor;
  readonly fields: Omit<PostFields, 'content' | 'meta'>;
}

/**
 * Writes documents so that no state is lost that was written over. Modules that sync documents with clients write by
 * it alone; whether the client knew the state that he writes over is theirs to ask, under the lock of the post.
 */
export class Revisions {
  readonly #db: Database;
  readonly #documents: Documents;
  readonly #store: RevisionStore;

  constructor(db: Database, documents: Documents, store: RevisionStore) {
    this.#db = db;
    this.#documents = documents;
    this.#store = store;
  }

  /**
   * Writes the document of the locked post and other fields of it, and keeps the new state. The old one is kept before
   * it where no revision holds it, because it was written by another way. Null as content leaves the document; an
   * editor that is given is the one that the post has from then on.
   * @throws as `Posts.update`
   */
  async write(
    trx: Knex.Transaction,
    actor: Actor,
    post: Post,
    change: DocumentWrite,
    origin: RevisionOrigin,
  ): Promise<{ readonly post: Post; readonly revisionId: number }> {
    if ((await this.#heldBy(trx, post)) === null) {
      const unknown = { source: 'host', user_id: null, connection_id: null } as const;
      await this.#store.insert(trx, post, this.#stateOf(post), unknown);
    }
    const now = this.#documents.of(post);
    const { content, editor = now.editor, fields } = change;
    const written = await this.#documents.writeAs(trx, actor, post, editor, content ?? now.content, fields);
    return { post: written, revisionId: await this.keep(trx, written, origin) };
  }

  /** Keeps the state of a post that was just made, or is locked: id of the revision that holds it. */
  async keep(trx: Knex.Transaction, post: Post, origin: RevisionOrigin): Promise<number> {
    const held = await this.#heldBy(trx, post);
    if (held !== null) return held;
    const { source, userId, connectionId } = origin;
    const by = { source, user_id: userId, connection_id: connectionId };
    const id = await this.#store.insert(trx, post, this.#stateOf(post), by);
    await this.#store.trim(trx, post.id, origin.keep);
    return id;
  }

  /** The newest revision of the post where it holds its state as it is; else null. */
  holding(post: Post, sql: Knex = this.#db.knex): Promise<number | null> {
    return this.#heldBy(sql, post);
  }

  /** One page of the post's, newest first, and how many there are. Two queries, none reads a text. */
  list(
    postId: number,
    { page, per_page }: { readonly page: number; readonly per_page: number },
  ): Promise<{ readonly revisions: Revision[]; readonly total: number }> {
    return this.#store.list(this.#db.knex, postId, per_page, (page - 1) * per_page);
  }

  /** A revision of the post, with its text. */
  find(postId: number, revisionId: number): Promise<(Revision & { readonly content: string }) | null> {
    return this.#store.find(this.#db.knex, postId, revisionId);
  }

  async #heldBy(sql: Knex, post: Post): Promise<number | null> {
    const newest = await this.#store.newest(sql, post.id);
    const { editor, hash } = this.#documents.of(post);
    const holds = newest?.hash === hash && newest.editor === editor && newest.title === post.title;
    return newest && holds ? newest.revision_id : null;
  }

  #stateOf(post: Post): PostState {
    return { ...this.#documents.of(post), title: post.title };
  }
}
