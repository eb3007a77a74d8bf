import type { Knex } from 'knex';
import type { PostWriter } from '../content/post-writer.ts';
import { readSite } from '../content/sites/site-store.ts';
import type { Database } from '../db/database.ts';
import type { Address } from '../http/addresses.ts';
import type { InstalledModules } from '../registry/spec.ts';
import { bumpRevision } from '../state/site-state.ts';
import { optionsAfter, setOptions } from './copy-options-store.ts';
import { countPosts } from './moved-site-store.ts';
import { OptionTexts } from './option-texts.ts';
import { postsToRewrite, termsToRewrite, writePosts, writeTerms } from './rewrite-content-store.ts';
import { changedPost, changedTerm, lockTexts, type TextChange, wordsOfPost } from './site-texts.ts';
import { UrlMoves } from './url-moves.ts';

/** A site that got another address. */
export interface MovedSite {
  readonly blog_id: number;
  /** Where it was. */
  readonly from: Address;
}

/** What one batch came to. */
export interface MovedBatch {
  /** Where the next batch begins; null when there is none. */
  readonly after: number | string | null;
  /** Records that were looked at. */
  readonly seen: number;
  /** Those that named the old address. */
  readonly changed: number;
  /** Addresses in them. */
  readonly urls: number;
}

export interface MovedSitesParts {
  readonly db: Database;
  readonly writer: PostWriter;
  readonly modules: () => InstalledModules;
}

/** The site is open: whoever changes one of its records meanwhile waits, so few are taken at a time. */
const batchBehind = (blogId: number, after: number) => ({
  blogId,
  after,
  mostRows: 200,
  locked: true,
  only: null,
});

const nothing: MovedBatch = { after: null, seen: 0, changed: 0, urls: 0 };

/**
 * What a site says of its own old address becomes its address of this moment. Each call does one batch in the given
 * transaction; nobody's change is lost meanwhile.
 */
export class MovedSites {
  readonly #parts: MovedSitesParts;

  constructor(parts: MovedSitesParts) {
    this.#parts = parts;
  }

  countPosts(blogId: number): Promise<number> {
    return countPosts(this.#parts.db.knex, blogId);
  }

  /** Content, excerpt and meta of posts and attachments, the hash of the document and the words made anew. */
  async posts(trx: Knex.Transaction, site: MovedSite, after: number): Promise<MovedBatch> {
    const moves = await this.#moves(trx, site);
    if (!moves) return nothing;
    await lockTexts(trx, site.blog_id);
    const posts = await postsToRewrite(trx, batchBehind(site.blog_id, after));
    const { changed, urls } = await rewritten(trx, moves, posts, changedPost);
    await writePosts(
      trx,
      changed.map((post) => ({ ...post, words: wordsOfPost(this.#parts.writer, post) })),
    );
    return { after: posts.at(-1)?.id ?? null, seen: posts.length, changed: changed.length, urls };
  }

  /** Meta and icons of the site's terms. */
  async terms(trx: Knex.Transaction, site: MovedSite, after: number): Promise<MovedBatch> {
    const moves = await this.#moves(trx, site);
    if (!moves) return nothing;
    const terms = await termsToRewrite(trx, batchBehind(site.blog_id, after));
    const { changed, urls } = await rewritten(trx, moves, terms, changedTerm);
    await writeTerms(trx, changed);
    return { after: terms.at(-1)?.id ?? null, seen: terms.length, changed: changed.length, urls };
  }

  /** Options and settings of the site but secrets; a change is announced. */
  async options(trx: Knex.Transaction, site: MovedSite, after: string): Promise<MovedBatch> {
    const first = await this.#options(trx, site, after);
    if (first.changed.length === 0) return first.batch;
    // Whoever writes settings waits from here on: what is read now is what is changed.
    await bumpRevision(trx);
    const { changed, batch } = await this.#options(trx, site, after);
    await setOptions(trx, site.blog_id, changed);
    return batch;
  }

  async #options(trx: Knex.Transaction, site: MovedSite, after: string) {
    const moves = await this.#moves(trx, site);
    if (!moves) return { changed: [], batch: nothing };
    const found = await optionsAfter(trx, site.blog_id, after);
    const texts = new OptionTexts(this.#parts.modules());
    const { changed, urls } = await rewritten(trx, moves, found, (option, change) =>
      texts.changed(option, change),
    );
    const batch = { after: found.at(-1)?.name ?? null, seen: found.length, changed: changed.length, urls };
    return { changed, batch };
  }

  /** Null when the site is gone, or back at its old address. */
  async #moves(trx: Knex.Transaction, { blog_id, from }: MovedSite): Promise<UrlMoves | null> {
    const site = await readSite(this.#parts.db, trx, blog_id);
    if (!site || (site.domain === from.domain && site.path === from.path)) return null;
    const to = { domain: site.domain, path: site.path, origin: null };
    return new UrlMoves([from], { to, pages: true, file: (path) => path });
  }
}

/** Changes each record; those that are not the very same afterwards. */
async function rewritten<T>(
  trx: Knex.Transaction,
  moves: UrlMoves,
  records: readonly T[],
  change: (record: T, text: TextChange) => T,
): Promise<{ readonly changed: T[]; readonly urls: number }> {
  const collect: TextChange = (text) => {
    moves.collect(text);
    return text;
  };
  for (const record of records) change(record, collect);
  await moves.read(trx);
  const changed = records.flatMap((record) => {
    const now = change(record, (text) => moves.rewrite(text));
    return now === record ? [] : [now];
  });
  return { changed, urls: moves.replaced };
}
