import { createHash, randomBytes } from 'node:crypto';
import {
  type Call,
  type Clock,
  type Database,
  fail,
  lockUntilCommit,
  type PageRenderer,
  type Post,
  type Posts,
  Turns,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { limitsOf } from '../settings.ts';
import { type FolderParts, type MadeFolder, makeFolder } from './make-folder.ts';
import { makerVersion } from './own-files.ts';
import { folderKey, type StaticFolder } from './static-record.ts';
import type { StaticStore } from './static-store.ts';

const hourMs = 60 * 60 * 1000;

/** Pages that one process renders at a time: each holds a connection while it waits for nobody else to. */
const atOnce = 4;

/** So long a page stays without a piece that failed before that is tried again. */
const lackMs = 60 * 1000;

/** Behind the hash of a folder that lacks a piece. */
const lack = '-';

/** So often a page may be taken back and published again under our eyes. */
const mostTries = 3;

export interface StaticPagesParts extends FolderParts {
  readonly db: Database;
  readonly posts: Posts;
  readonly renderer: PageRenderer;
  readonly store: StaticStore;
  readonly clock: Clock;
}

/** Finds the page anew, and whether the caller may have it. */
export type FindPage = (sql: Knex) => Promise<Post>;

/** A page and its folder. */
export interface StaticPage {
  readonly page: Post;
  readonly folder: StaticFolder;
}

/** Static pages: rendered once for each state of what they are made of, whoever asks how often. */
export class StaticPages {
  readonly #parts: StaticPagesParts;
  readonly #ofPage = new Turns(1);
  readonly #ofProcess = new Turns(atOnce);

  constructor(parts: StaticPagesParts) {
    this.#parts = parts;
  }

  /** @throws `turbo_static_too_large`, `rest_conflict`, and what `find` throws */
  async get(call: Call, pageId: number, find: FindPage): Promise<StaticPage> {
    const { db, store } = this.#parts;
    const [page, had] = await Promise.all([find(db.knex), store.ofPage(call.site.blog_id, pageId)]);
    const folder = await this.#ifCurrent(call, page, had);
    if (folder) return { page, folder };
    return this.#ofPage.run(`${pageId}`, () =>
      this.#ofProcess.run('', async () => {
        for (let tries = 0; tries < mostTries; tries += 1) {
          const made = await this.#make(call, pageId, find);
          if (made) return made;
        }
        return fail('rest_conflict');
      }),
    );
  }

  /** The folder, if it is what would be made of the page now. */
  async #ifCurrent(call: Call, page: Post, folder: StaticFolder | null): Promise<StaticFolder | null> {
    return folder && this.#isCurrent(folder, await this.#sourceHash(call, page)) ? folder : null;
  }

  #isCurrent({ source_hash, built_at }: StaticFolder, hash: string): boolean {
    if (source_hash !== hash + lack) return source_hash === hash;
    return this.#parts.clock.now().getTime() - new Date(built_at).getTime() < lackMs;
  }

  async #sourceHash(call: Call, page: Post): Promise<string> {
    const stamp = await this.#parts.renderer.stamp(call, page);
    const parts = [makerVersion, stamp, this.#parts.apiRoot, limitsOf(call)];
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  }

  /** Null when the page was published or taken back meanwhile: then all is to be looked at anew. */
  async #make(call: Call, pageId: number, find: FindPage): Promise<StaticPage | null> {
    const { db, posts, clock } = this.#parts;
    return db.transaction(async (trx) => {
      await lockUntilCommit(trx, `turbo.static:${pageId}`);
      const page = await find(trx);
      const had = await this.#parts.store.ofPage(page.blog_id, page.id);
      const source_hash = await this.#sourceHash(call, page);
      if (had && this.#isCurrent(had, source_hash)) return { page, folder: had };
      const { folder, content, lacksPiece } = await this.#fill(call, page);
      const still = await posts.lock(trx, page.blog_id, page.id);
      if (still?.status !== page.status) {
        await this.#giveUp(page.blog_id, folder);
        return null;
      }
      const now = clock.now();
      const made = {
        ...{ ...content, folder, built_at: now.toISOString() },
        source_hash: lacksPiece ? source_hash + lack : source_hash,
      };
      await this.#parts.store.finish(trx, page.id, made, new Date(now.getTime() + hourMs));
      return { page, folder: made };
    });
  }

  async #fill(call: Call, page: Post): Promise<MadeFolder & { readonly folder: string }> {
    const folder = randomBytes(16).toString('hex');
    const { store, clock } = this.#parts;
    const until = new Date(clock.now().getTime() + 24 * hourMs);
    await store.begin({ blog_id: page.blog_id, page_id: page.id, folder }, until);
    try {
      return { folder, ...(await makeFolder(this.#parts, call, page, folder, limitsOf(call))) };
    } catch (error) {
      await this.#giveUp(page.blog_id, folder).catch(() =>
        call.log.warn({ folder }, 'a folder is left to the sweep'),
      );
      throw error;
    }
  }

  async #giveUp(blogId: number, folder: string): Promise<void> {
    const { store, storage, clock } = this.#parts;
    await store.giveUp(folder, clock.now());
    await storage.removeFolder(folderKey(blogId, folder));
  }
}
