import { randomBytes } from 'node:crypto';
import type { Clock, Database, Storage } from '@lyceum/core';
import { isCoded } from '@lyceum/core';
import type { Knex } from 'knex';
import type { StoredContent } from './content.ts';
import type { ContentStore } from './content-store.ts';
import type { GivenContent } from './given-content.ts';
import { type Package, packageFolder } from './package.ts';
import type { Remains, RemainsStore } from './remains-store.ts';

const hour = 60 * 60 * 1000;

/** What was superseded is still read by those who began with it. */
export const supersededMs = hour;

/** An upload has five minutes; content that nobody shows after two hours belongs to a lost process. */
const unclaimedMs = 2 * hour;

/** The storage did not take the content. */
export class StorageFailure extends Error {}

export interface PackageContentsParts {
  readonly db: Database;
  readonly storage: Storage;
  readonly content: ContentStore;
  readonly remains: RemainsStore;
  readonly clock: Clock;
}

/**
 * Content of packages: stored under a folder of its own that is noted before its first byte, then shown in whichever
 * transaction wants it. So what is read is the old or the new, and what is lost on the way is found.
 */
export class PackageContents {
  readonly #parts: PackageContentsParts;

  constructor(parts: PackageContentsParts) {
    this.#parts = parts;
  }

  /**
   * Stores content for a package that `show` shows later; what is not shown is for `takeBack`.
   * @throws `embed_packages_invalid_zip`, `embed_packages_no_entry`, StorageFailure; nothing is left then
   */
  async store(
    owner: { readonly blogId: number; readonly packageId: number },
    given: GivenContent,
    signal: AbortSignal,
  ): Promise<StoredContent> {
    const { db, storage, remains, clock } = this.#parts;
    const place = randomBytes(10).toString('hex');
    const folder = packageFolder(owner.blogId, owner.packageId);
    const note = { blog_id: owner.blogId, package_id: owner.packageId, revision: null };
    const until = new Date(clock.now().getTime() + unclaimedMs);
    await remains.note(db.knex, { ...note, folder: `${folder}/${place}` }, until);
    try {
      return await given.write({ storage, folder, place, signal });
    } catch (error) {
      await this.takeBack(owner, place);
      if (isCoded(error) || signal.aborted) throw error;
      throw new StorageFailure('The content was not stored.', { cause: error });
    }
  }

  /** Removes stored content that nobody shows. It never throws: the sweep comes by. */
  async takeBack(
    owner: { readonly blogId: number; readonly packageId: number },
    place: string,
  ): Promise<void> {
    const folder = `${packageFolder(owner.blogId, owner.packageId)}/${place}`;
    await this.#removeFolder(folder).catch(() => undefined);
  }

  /**
   * The rows of stored content, as the revision that the package has now.
   * @returns false when the content was swept up meanwhile
   */
  async show(trx: Knex.Transaction, shown: Package, content: StoredContent): Promise<boolean> {
    const folder = `${packageFolder(shown.blog_id, shown.id)}/${content.place}`;
    if (!(await this.#parts.remains.settle(trx, folder))) return false;
    await this.#parts.content.insert(trx, shown, content.files, content.documents);
    return true;
  }

  /** Files of superseded or deleted content are to go: all of a package, or those of one revision. */
  async discard(
    trx: Knex.Transaction,
    { id, blog_id, revision, place }: Package,
    what: 'revision' | 'all',
  ): Promise<Remains> {
    const own = packageFolder(blog_id, id);
    const folder = what === 'all' ? own : `${own}/${place}`;
    const remains = { folder, blog_id, package_id: id, revision: what === 'all' ? null : revision };
    const after = what === 'all' ? 0 : supersededMs;
    await this.#parts.remains.note(trx, remains, new Date(this.#parts.clock.now().getTime() + after));
    return remains;
  }

  /** Removes what lies in the folder, and the rows that led to it; may be repeated. */
  async remove(remains: Remains): Promise<void> {
    const { db, content } = this.#parts;
    // Rows first: an address that leads to nothing is worse than a file that nobody can ask for.
    if (remains.revision !== null) await content.remove(db.knex, remains.package_id, remains.revision);
    await this.#removeFolder(remains.folder);
  }

  async #removeFolder(folder: string): Promise<void> {
    await this.#parts.storage.removeFolder(folder);
    await this.#parts.remains.forget(this.#parts.db.knex, folder);
  }
}
