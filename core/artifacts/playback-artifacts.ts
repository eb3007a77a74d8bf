import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { firstFree } from '../content/slug-numbers.ts';
import type { Database } from '../db/database.ts';
import type { OpenFile, Storage } from '../files/storage.ts';
import {
  type Artifact,
  type ArtifactFolder,
  type NewArtifact,
  type StoredContent,
  treeEntry,
} from './artifact.ts';
import { numberedName } from './artifact-names.ts';
import { contentKey, newPlace, placeFolder } from './artifact-place.ts';
import type { ArtifactRemainsStore } from './artifact-remains-store.ts';
import type { ArtifactFilter, ArtifactStore } from './artifact-store.ts';
import { type LocalContent, storeContent } from './store-content.ts';

const hour = 60 * 60 * 1000;

/** What is superseded is still played by those who began with it. */
const supersededMs = hour;

/** Content that no artifact got belongs to a lost process; no writer needs so long. */
const unclaimedMs = 24 * hour;

export interface PlaybackArtifactsParts {
  readonly db: Database;
  readonly storage: Storage;
  readonly store: ArtifactStore;
  readonly remains: ArtifactRemainsStore;
  readonly now: () => Date;
  readonly log: Logger;
}

/**
 * What players are given for an attachment beside its own file. First content is stored, where nothing refers to it;
 * then its row is written in whichever transaction wants it. So an artifact appears, is switched and goes whole, with
 * its files, whatever fails or is killed on the way.
 */
export class PlaybackArtifacts {
  readonly #parts: PlaybackArtifactsParts;

  constructor(parts: PlaybackArtifactsParts) {
    this.#parts = parts;
  }

  /** Artifacts of an attachment, by folder and name; those of another site are none. */
  list(
    blogId: number,
    attachmentId: number,
    filter: ArtifactFilter,
    sql: Knex = this.#parts.db.knex,
  ): Promise<Artifact[]> {
    return this.#parts.store.list(sql, blogId, attachmentId, filter);
  }

  /** Other writers of this attachment's artifacts wait until the transaction ends. False when it is gone. */
  lock(trx: Knex.Transaction, blogId: number, attachmentId: number): Promise<boolean> {
    return this.#parts.store.lock(trx, blogId, attachmentId);
  }

  /** The content of an artifact; of a tree the file that it is entered by. Null when it is missing. */
  read(artifact: Artifact): Promise<OpenFile | null> {
    return this.#parts.storage.read(contentKey(artifact));
  }

  /** All files of an artifact: their keys in the storage, and their names below the artifact's folder. */
  async *files(
    artifact: Artifact,
  ): AsyncGenerator<{ readonly key: string; readonly name: string; readonly bytes: number }> {
    const { blog_id, place, tree, name, bytes } = artifact;
    if (!tree) return yield { key: contentKey(artifact), name, bytes };
    const folder = `${placeFolder(blog_id, place)}/`;
    const head = name.slice(0, -treeEntry.length);
    for await (const file of this.#parts.storage.list(folder.slice(0, -1)))
      yield { key: file.key, name: `${head}${file.key.slice(folder.length)}`, bytes: file.bytes };
  }

  /**
   * Stores content for an artifact that `put` writes later. What is not put is for `takeBack`; what a killed process
   * leaves is swept up a day later.
   * @param name any that ends like the artifact's
   * @throws `StorageFull`, the errors of the storage, the reason of the signal; nothing is left then
   */
  async store(
    owner: { readonly blogId: number; readonly attachmentId: number },
    given: { readonly content: LocalContent; readonly name: string },
    signal: AbortSignal,
  ): Promise<StoredContent> {
    const { db, storage, remains, now } = this.#parts;
    const { blogId, attachmentId } = owner;
    const content = { blogId, attachmentId, place: newPlace(), tree: 'folder' in given.content };
    await remains.note(db.knex, content, new Date(now().getTime() + unclaimedMs));
    try {
      const written = await storeContent(storage, placeFolder(blogId, content.place), given, signal);
      return { ...content, ...written };
    } catch (error) {
      await this.takeBack(content);
      throw error;
    }
  }

  /**
   * Writes the artifact of stored content. One of the same format key, and with it its address, is superseded: it is
   * served for another hour. A name that is taken gets a number. Null when the attachment is gone, or the content was
   * swept up: then there is nothing to put.
   */
  async put(trx: Knex.Transaction, content: StoredContent, given: NewArtifact): Promise<Artifact | null> {
    const { store, remains } = this.#parts;
    const { blogId, attachmentId } = content;
    if (!(await store.lock(trx, blogId, attachmentId))) return null;
    if (!(await remains.settle(trx, content))) return null;
    const { format_key } = given;
    if (format_key !== null) await this.supersede(trx, blogId, attachmentId, { formatKeys: [format_key] });
    const naming = (number: number): string => {
      const name = numberedName(given.name, number);
      return content.tree ? `${name}/${treeEntry}` : name;
    };
    const taken = (names: readonly string[]) => store.taken(trx, attachmentId, given.folder, names);
    const name = await firstFree(naming, taken);
    const id = await store.insert(trx, content, { ...given, name });
    const [artifact] = await store.list(trx, blogId, attachmentId, { ids: [id] });
    return artifact ?? null;
  }

  /**
   * Serves stored content for a time, without making it an artifact: below a folder that is none of theirs.
   * @returns its path, as an artifact's; null when the attachment is gone, or the content was swept up
   */
  async serve(
    trx: Knex.Transaction,
    content: StoredContent,
    served: { readonly folder: string; readonly name: string; readonly mime_type: string },
    until: Date,
  ): Promise<string | null> {
    const base = await this.#parts.store.basePath(trx, content.blogId, content.attachmentId);
    if (base === null || !(await this.#parts.remains.serve(trx, content, served, until))) return null;
    return `${base}/${served.folder}/${served.name}`;
  }

  /** Takes artifacts away whose addresses go on working for an hour. Those that went. */
  supersede(
    trx: Knex.Transaction,
    blogId: number,
    attachmentId: number,
    filter: ArtifactFilter,
  ): Promise<Artifact[]> {
    return this.#take(trx, blogId, attachmentId, filter, true);
  }

  /**
   * Takes artifacts away; their addresses end with the transaction, their files within some minutes. Those that went.
   */
  drop(
    trx: Knex.Transaction,
    blogId: number,
    attachmentId: number,
    filter: ArtifactFilter,
  ): Promise<Artifact[]> {
    return this.#take(trx, blogId, attachmentId, filter, false);
  }

  /** The same in a transaction of its own. */
  dropNow(blogId: number, attachmentId: number, filter: ArtifactFilter): Promise<Artifact[]> {
    return this.#parts.db.transaction((trx) => this.drop(trx, blogId, attachmentId, filter));
  }

  /** The same for all that an attachment has or had, for one that is deleted or gets another file. */
  async dropAll(trx: Knex.Transaction, blogId: number, attachmentId: number): Promise<Artifact[]> {
    const dropped = await this.#take(trx, blogId, attachmentId, {}, false);
    await this.#parts.remains.hide(trx, blogId, attachmentId, this.#parts.now());
    return dropped;
  }

  async #take(
    trx: Knex.Transaction,
    blogId: number,
    attachmentId: number,
    filter: ArtifactFilter,
    isServed: boolean,
  ): Promise<Artifact[]> {
    const { store, remains, now } = this.#parts;
    if (!(await store.lock(trx, blogId, attachmentId))) return [];
    const artifacts = await store.list(trx, blogId, attachmentId, filter);
    if (artifacts.length === 0) return artifacts;
    const until = new Date(now().getTime() + (isServed ? supersededMs : 0));
    await remains.keep(trx, artifacts, until, isServed);
    await store.remove(
      trx,
      artifacts.map(({ id }) => id),
    );
    return artifacts;
  }

  /**
   * Gives an artifact of a locked attachment another name; its address follows. False when the name is taken.
   * @param name with the extension that it has; a tree's without the file that it is entered by
   */
  async rename(trx: Knex.Transaction, artifact: Artifact, name: string): Promise<boolean> {
    const { store } = this.#parts;
    const whole = artifact.tree ? `${name}/${treeEntry}` : name;
    if (whole === artifact.name) return true;
    const { attachment_id, folder } = artifact;
    if ((await store.taken(trx, attachment_id, folder, [whole])).size > 0) return false;
    await store.rename(trx, artifact.id, whole);
    return true;
  }

  /** From now on caches ask again: the bytes under its name are not those that the name tells of. */
  revalidate(trx: Knex.Transaction, artifact: Artifact): Promise<void> {
    return this.#parts.store.rename(trx, artifact.id, artifact.name);
  }

  /** What its maker notes of an artifact, in place of what was noted. */
  setMeta(trx: Knex.Transaction, artifact: Artifact, meta: Artifact['meta']): Promise<void> {
    return this.#parts.store.setMeta(trx, artifact.id, meta);
  }

  /** How many artifacts the attachment has in each folder. */
  async counts(
    blogId: number,
    attachmentId: number,
    sql: Knex = this.#parts.db.knex,
  ): Promise<Readonly<Record<ArtifactFolder, number>>> {
    const counts = { sources: 0, subtitles: 0, chapters: 0, thumbnails: 0, stills: 0 };
    for (const { folder } of await this.list(blogId, attachmentId, {}, sql)) counts[folder] += 1;
    return counts;
  }

  /** Removes stored content that was not put. Never throws: nobody can reach it, and a sweep comes by. */
  async takeBack({ blogId, place }: Pick<StoredContent, 'blogId' | 'place'>): Promise<void> {
    const { db, storage, remains, now, log } = this.#parts;
    const left = { blog_id: blogId, place };
    try {
      await remains.makeDue(db.knex, left, now());
      await db.transaction(async (trx) => {
        // After a failure, which may be that of a commit that came through: then an artifact has it.
        if (!(await remains.forget(trx, left))) return;
        await storage.removeFolder(placeFolder(blogId, place));
      });
    } catch (error) {
      log.warn({ err: error, place }, 'stored content that nobody needs was not removed');
    }
  }

  /**
   * Removes the files of what is due. May be called by anybody at any time.
   * @param signal ends it between two places
   */
  async sweep(signal: AbortSignal): Promise<void> {
    const { db, storage, remains, now } = this.#parts;
    for (let isLeft = true; isLeft && !signal.aborted; ) {
      isLeft = await db.transaction(async (trx) => {
        const due = await remains.nextDue(trx, now());
        if (due === null) return false;
        await storage.removeFolder(placeFolder(due.blog_id, due.place));
        await remains.forget(trx, due);
        return true;
      });
    }
  }
}
