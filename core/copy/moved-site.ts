import type { Knex } from 'knex';
import type { SettingDeclaration } from '../api/module.ts';
import { titleOf } from '../content/attachments/attachment-fields.ts';
import { documentHash, documentText } from '../content/document.ts';
import type { PostWriter } from '../content/post-writer.ts';
import { readSite } from '../content/sites/site-store.ts';
import type { Database } from '../db/database.ts';
import type { Address } from '../http/addresses.ts';
import { type InstalledModules, specs } from '../registry/spec.ts';
import { optionOf } from '../settings/setting-options.ts';
import { bumpRevision } from '../state/site-state.ts';
import { optionsAfter, setOptions } from './copy-options-store.ts';
import { mapStrings } from './map-strings.ts';
import { countPosts } from './moved-site-store.ts';
import {
  type PostToRewrite,
  postsToRewrite,
  type TermToRewrite,
  termsToRewrite,
  writePosts,
  writeTerms,
} from './rewrite-content-store.ts';
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
const batchBehind = (blogId: number, after: number) => ({ blogId, after, mostRows: 200, locked: true });

type Change = (text: string) => string;

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
    const posts = await postsToRewrite(trx, batchBehind(site.blog_id, after));
    const { changed, urls } = await rewritten(trx, moves, posts, changedPost);
    await writePosts(
      trx,
      changed.map((post) => ({ ...post, words: this.#words(post) })),
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
    const settings = this.#settings();
    const open = found.filter(({ name, value }) => !isSecret(settings.get(name), value));
    const { changed, urls } = await rewritten(trx, moves, open, (option, change) => {
      const value = mapStrings(option.value, change);
      return value === option.value || !fits(settings.get(option.name), value)
        ? option
        : { ...option, value };
    });
    const batch = { after: found.at(-1)?.name ?? null, seen: found.length, changed: changed.length, urls };
    return { changed, batch };
  }

  /** Every declared setting by the option that keeps it. */
  #settings(): ReadonlyMap<string, SettingDeclaration> {
    return new Map(
      [...specs(this.#parts.modules())].flatMap((spec) =>
        Object.entries(spec.settings).map(
          ([name, setting]) => [optionOf(spec.id, name, setting), setting] as const,
        ),
      ),
    );
  }

  /** Null when the site is gone, or back at its old address. */
  async #moves(trx: Knex.Transaction, { blog_id, from }: MovedSite): Promise<UrlMoves | null> {
    const site = await readSite(this.#parts.db, trx, blog_id);
    if (!site || (site.domain === from.domain && site.path === from.path)) return null;
    const to = { domain: site.domain, path: site.path, origin: null };
    return new UrlMoves([from], { to, pages: true, file: (path) => path });
  }

  #words(post: PostToRewrite): string {
    return this.#parts.writer.searchText(
      post,
      post.filename === null ? [] : [post.alt ?? '', titleOf(post.filename)],
    );
  }
}

/** A sealed value is a secret also while nobody declares it: its module may be away. */
const isSecret = (setting: SettingDeclaration | undefined, value: unknown): boolean =>
  setting?.secret === true || Object.hasOwn(Object(value), 'sealed');

/** An address may not become what the setting does not take, such as an origin one with a path. */
const fits = (setting: SettingDeclaration | undefined, value: unknown): boolean =>
  setting === undefined || setting.schema.isValidSync(value, { strict: true });

/** Changes each record; those that are not the very same afterwards. */
async function rewritten<T>(
  trx: Knex.Transaction,
  moves: UrlMoves,
  records: readonly T[],
  change: (record: T, text: Change) => T,
): Promise<{ readonly changed: T[]; readonly urls: number }> {
  const collect: Change = (text) => {
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

function changedPost(post: PostToRewrite, change: Change): PostToRewrite {
  const content = change(post.content);
  const excerpt = change(post.excerpt);
  const meta = mapStrings(post.meta, change) as PostToRewrite['meta'];
  const private_meta = mapStrings(post.private_meta, change) as PostToRewrite['private_meta'];
  const same = content === post.content && excerpt === post.excerpt;
  if (same && meta === post.meta && private_meta === post.private_meta) return post;
  const now = { ...post, content, excerpt, meta, private_meta };
  return { ...now, hash: documentHash(documentText(now)) };
}

function changedTerm(term: TermToRewrite, change: Change): TermToRewrite {
  const icon = change(term.icon);
  const meta = mapStrings(term.meta, change) as TermToRewrite['meta'];
  return icon === term.icon && meta === term.meta ? term : { ...term, icon, meta };
}
