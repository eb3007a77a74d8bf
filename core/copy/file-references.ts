import type { Knex } from 'knex';
import type { PostWriter } from '../content/post-writer.ts';
import type { Database } from '../db/database.ts';
import type { InstalledModules } from '../registry/spec.ts';
import { bumpRevision } from '../state/site-state.ts';
import { optionsAfter, type SiteOption, setOptions } from './copy-options-store.ts';
import { postsWith, termsWith } from './file-reference-store.ts';
import { FileUrl } from './file-url.ts';
import { OptionTexts } from './option-texts.ts';
import {
  type PostToRewrite,
  postsToRewrite,
  type TermToRewrite,
  termsToRewrite,
  writePosts,
  writeTerms,
} from './rewrite-content-store.ts';
import { changedPost, changedTerm, lockTexts, type TextChange, wordsOfPost } from './site-texts.ts';

/** A file of a site by its path below the site's `/files/`. */
export interface SiteFilePath {
  readonly site: { readonly blog_id: number; readonly domain: string; readonly path: string };
  readonly path: string;
}

/** Records of a site that name a file, each counted once. */
export interface ReferenceCounts {
  /** By content, excerpt or meta. */
  readonly posts: number;
  /** By meta or icon. */
  readonly terms: number;
  /** Options and settings but secrets. */
  readonly options: number;
}

export interface FileReferencesParts {
  readonly db: Database;
  readonly writer: PostWriter;
  readonly modules: () => InstalledModules;
}

/** Records of one batch; their texts are limited besides. */
const perBatch = 200;

/** What a walk over the site's records looks for and changes. */
interface Walk {
  readonly sql: Knex;
  readonly blogId: number;
  readonly url: FileUrl;
  /** What takes the place of the file's path. */
  readonly path: string;
  readonly locked: boolean;
}

/** The places in a site's texts that name the address of one of its files, in whatever spelling. */
export class FileReferences {
  readonly #parts: FileReferencesParts;

  constructor(parts: FileReferencesParts) {
    this.#parts = parts;
  }

  /** How many records name the file now. Reads each text of the site once. */
  async count(file: SiteFilePath): Promise<ReferenceCounts> {
    const walk = { ...walkOver(this.#parts.db.knex, file, `${file.path}-2`), locked: false };
    const tally = new Tally(Number.POSITIVE_INFINITY);
    for await (const posts of changedPosts(walk)) tally.add('posts', posts.length);
    for await (const terms of changedTerms(walk)) tally.add('terms', terms.length);
    for await (const options of this.#changedOptions(walk)) tally.add('options', options.length);
    return tally.counts;
  }

  /**
   * Of those who change texts all over the site one goes after the other; to be taken before the transaction locks
   * any record of the site.
   */
  lock(trx: Knex.Transaction, blogId: number): Promise<void> {
    return lockTexts(trx, blogId);
  }

  /**
   * Gives the file's address in every record its new path. Times of the records stay; hashes and words are made
   * anew.
   * @param most records that may change; null is returned for more, and the transaction must be rolled back
   */
  async move(
    trx: Knex.Transaction,
    file: SiteFilePath,
    path: string,
    most: number,
  ): Promise<ReferenceCounts | null> {
    const walk = { ...walkOver(trx, file, path), locked: true };
    const tally = new Tally(most);
    const { writer } = this.#parts;
    for await (const posts of changedPosts(walk)) {
      if (!tally.add('posts', posts.length)) return null;
      await writePosts(
        trx,
        posts.map((post) => ({ ...post, words: wordsOfPost(writer, post) })),
      );
    }
    for await (const terms of changedTerms(walk)) {
      if (!tally.add('terms', terms.length)) return null;
      await writeTerms(trx, terms);
    }
    return (await this.#moveOptions(trx, walk, tally)) ? tally.counts : null;
  }

  async #moveOptions(trx: Knex.Transaction, walk: Walk, tally: Tally): Promise<boolean> {
    let anyNames = false;
    for await (const options of this.#changedOptions(walk)) anyNames ||= options.length > 0;
    if (!anyNames) return true;
    // Whoever writes settings waits from here on: what is read now is what is changed.
    await bumpRevision(trx);
    for await (const options of this.#changedOptions(walk)) {
      if (!tally.add('options', options.length)) return false;
      await setOptions(trx, walk.blogId, options);
    }
    return true;
  }

  async *#changedOptions({ sql, blogId, url, path }: Walk): AsyncGenerator<SiteOption[], void, undefined> {
    const texts = new OptionTexts(this.#parts.modules());
    const change: TextChange = (text) => url.rewrite(text, path).text;
    for (let after = ''; ; ) {
      const options = await optionsAfter(sql, blogId, after);
      const last = options.at(-1);
      if (!last) return;
      yield changedIn(options, (option) => texts.changed(option, change));
      after = last.name;
    }
  }
}

/** Counts up to a limit. */
class Tally {
  readonly #most: number;
  readonly #counts = { posts: 0, terms: 0, options: 0 };

  constructor(most: number) {
    this.#most = most;
  }

  get counts(): ReferenceCounts {
    return { ...this.#counts };
  }

  /** False when it is more than the limit now. */
  add(kind: keyof ReferenceCounts, many: number): boolean {
    this.#counts[kind] += many;
    const { posts, terms, options } = this.#counts;
    return posts + terms + options <= this.#most;
  }
}

const walkOver = (sql: Knex, { site, path: old }: SiteFilePath, path: string) => ({
  sql,
  blogId: site.blog_id,
  url: new FileUrl({ domain: site.domain, sitePath: site.path, path: old }),
  path,
});

/** The records of a list that are not the very same after the change. */
const changedIn = <T>(records: readonly T[], changed: (record: T) => T): T[] =>
  records.flatMap((record) => {
    const now = changed(record);
    return now === record ? [] : [now];
  });

async function* changedPosts({
  sql,
  blogId,
  url,
  path,
  locked,
}: Walk): AsyncGenerator<PostToRewrite[], void, undefined> {
  const change: TextChange = (text) => url.rewrite(text, path).text;
  const ids = await postsWith(sql, blogId, url.mark);
  for (let done = 0; done < ids.length; ) {
    const only = ids.slice(done, done + perBatch);
    const posts = await postsToRewrite(sql, { blogId, after: 0, mostRows: perBatch, locked, only });
    const last = posts.at(-1)?.id;
    // Fewer come where their texts are long, none where all of them are gone by now.
    done += last === undefined ? only.length : only.lastIndexOf(last) + 1;
    yield changedIn(posts, (post) => changedPost(post, change));
  }
}

async function* changedTerms({
  sql,
  blogId,
  url,
  path,
  locked,
}: Walk): AsyncGenerator<TermToRewrite[], void, undefined> {
  const change: TextChange = (text) => url.rewrite(text, path).text;
  const ids = await termsWith(sql, blogId, url.mark);
  for (let done = 0; done < ids.length; done += perBatch) {
    const only = ids.slice(done, done + perBatch);
    const terms = await termsToRewrite(sql, { blogId, after: 0, mostRows: perBatch, locked, only });
    yield changedIn(terms, (term) => changedTerm(term, change));
  }
}
