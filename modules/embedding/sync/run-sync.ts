import { Clock, Database, fail, type JobRun, PostLinks, Shortcodes } from '@lyceum/core';
import { ChunkStore } from '@lyceum/module/rag';
import type { Knex } from 'knex';
import { Embedders } from '../embedders.ts';
import {
  countPosts,
  forgetPosts,
  nextPosts,
  type PostState,
  withdrawnPosts,
} from '../posts/post-state-store.ts';
import { cutPost } from './cut-post.ts';
import { embedChunks } from './embed-chunks.ts';
import { closeStore, openScope, openStore, type SyncPayload } from './open-scope.ts';
import type { SyncScope } from './sync-scope.ts';
import { added, nothingDone, type Tally } from './tally.ts';

/** Posts whose state is read at a time. */
const postsPerLook = 500;

/** Posts that leave the store at a time. */
const postsPerRemoval = 200;

type Stage = 'collect' | 'chunk' | 'embed' | 'cleanup';

/** How far a sync is. */
interface Cursor {
  readonly stage: Stage;
  /** The last post that was looked at. */
  readonly after: number;
  readonly posts: number;
  /** Chunks that wait for a vector when embedding begins. */
  readonly waiting: number;
  readonly tally: Tally;
}

/** A sync of a site, or of some of its posts: cut what changed, embed what was cut, remove what has no place. */
export class SyncRun {
  readonly #job: JobRun<SyncPayload>;
  readonly #chunks: ChunkStore;
  readonly #sql: Knex;
  #scope!: SyncScope;
  #cursor: Cursor;

  constructor(job: JobRun<SyncPayload>) {
    this.#job = job;
    this.#chunks = job.get(ChunkStore);
    this.#sql = job.get(Database).knex;
    const begun = job.cursor<Cursor>();
    this.#cursor = begun ?? { stage: 'collect', after: 0, posts: 0, waiting: 0, tally: nothingDone };
  }

  /** Does what is left to do. @throws coded errors of the module */
  async run(): Promise<Readonly<Record<string, unknown>>> {
    this.#scope = await openScope(this.#job);
    if (this.#is('collect')) await this.#collect();
    if (this.#is('chunk')) await this.#chunk();
    if (this.#is('embed')) await this.#embed();
    if (this.#is('cleanup')) await this.#cleanup();
    await this.#chunks.index(this.#scope.blogId);
    const chunks_total = await this.#chunks.count(this.#scope.blogId, this.#scope.postIds);
    return { ...this.#cursor.tally, chunks_total };
  }

  #is(stage: Stage): boolean {
    return this.#cursor.stage === stage;
  }

  /** Everything that was done is in the transaction that says so. */
  #step(
    work: (trx: Knex.Transaction) => Promise<Partial<Cursor>>,
    told: (cursor: Cursor) => { readonly message: string; readonly current: number; readonly total: number },
  ): Promise<void> {
    return this.#job.step(async (trx) => {
      const cursor = { ...this.#cursor, ...(await work(trx)) };
      this.#cursor = cursor;
      return { phase: cursor.stage, ...told(cursor), cursor };
    });
  }

  async #collect(): Promise<void> {
    await this.#step(
      async (trx) => {
        await openStore(trx, this.#chunks, this.#scope);
        await this.#chunks.retryBroken(trx, this.#scope.blogId, this.#scope.postIds);
        const { eligible } = await countPosts(trx, this.#scope, this.#scope.recipe);
        const { post_ids } = this.#job.payload;
        const posts_skipped = post_ids === null ? 0 : post_ids.length - eligible;
        return { stage: 'chunk', posts: eligible, tally: { ...nothingDone, posts: eligible, posts_skipped } };
      },
      ({ posts }) => ({ message: `${posts} posts.`, current: 0, total: posts }),
    );
  }

  async #chunk(): Promise<void> {
    let present = await this.#chunks.count(this.#scope.blogId, null);
    let looked = 0;
    for (;;) {
      const posts = await nextPosts(
        this.#sql,
        this.#scope,
        this.#scope.recipe,
        this.#cursor.after,
        postsPerLook,
      );
      for (const post of posts) {
        looked += 1;
        if (post.isChanged || this.#scope.anew) present = await this.#cut(post, present, looked);
      }
      const last = posts.at(-1);
      if (last === undefined) break;
      this.#cursor = { ...this.#cursor, after: last.id };
    }
    await this.#step(
      async (trx) => {
        await closeStore(trx, this.#chunks, this.#scope);
        const waiting = await this.#chunks.countWaiting(trx, this.#scope.blogId, this.#scope.postIds);
        return { stage: 'embed', waiting };
      },
      ({ waiting }) => ({ message: `${waiting} chunks to embed.`, current: 0, total: waiting }),
    );
  }

  /** @returns chunks that the site has then */
  async #cut({ id }: PostState, present: number, looked: number): Promise<number> {
    const parts = {
      chunks: this.#chunks,
      links: this.#job.get(PostLinks),
      shortcodes: this.#job.get(Shortcodes),
    };
    let now = present;
    let tooLong = false;
    await this.#step(
      async (trx) => {
        const cut = await cutPost(trx, parts, this.#scope, id);
        if (!cut) return { after: id };
        tooLong = cut.tooLong;
        now = present + cut.created - cut.deleted;
        if (now > this.#scope.wish.maxChunks && cut.created > cut.deleted) fail('embedding_limit');
        const more = {
          posts_changed: 1,
          chunks_created: cut.created,
          chunks_deleted: cut.deleted,
          posts_skipped: cut.tooLong ? 1 : 0,
        };
        return { after: id, tally: added(this.#cursor.tally, more) };
      },
      ({ posts }) => ({ message: `Post ${looked} of ${posts}.`, current: looked, total: posts }),
    );
    if (tooLong)
      await this.#job.note('warning', 'The text of a post is too long to be cut.', { id_post: id });
    return now;
  }

  async #embed(): Promise<void> {
    const embedder = this.#job.get(Embedders).of(this.#scope.wish, this.#scope.state);
    const clock = this.#job.get(Clock);
    const parts = { chunks: this.#chunks, embedder, now: () => clock.now() };
    await embedChunks(this.#job, this.#scope, parts, (more) => {
      const tally = added(this.#cursor.tally, more);
      this.#cursor = { ...this.#cursor, tally };
      const done = tally.chunks_embedded + tally.chunks_failed;
      const total = Math.max(this.#cursor.waiting, done);
      return { message: `Chunk ${done} of ${total}.`, current: done, total, cursor: this.#cursor };
    });
    await this.#step(
      async () => ({ stage: 'cleanup' }),
      ({ waiting }) => ({ message: 'Removing what has no place.', current: waiting, total: waiting }),
    );
  }

  async #cleanup(): Promise<void> {
    const { blogId } = this.#scope;
    for (;;) {
      const ids = await withdrawnPosts(this.#sql, this.#scope, postsPerRemoval);
      if (ids.length === 0) return;
      await this.#step(
        async (trx) => {
          const chunks_deleted = await this.#chunks.remove(trx, blogId, ids);
          await forgetPosts(trx, blogId, ids);
          return { tally: added(this.#cursor.tally, { chunks_deleted }) };
        },
        ({ waiting }) => ({ message: `${ids.length} posts removed.`, current: waiting, total: waiting }),
      );
    }
  }
}
