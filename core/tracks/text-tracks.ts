import { text as wholeText } from 'node:stream/consumers';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { contentKey } from '../artifacts/artifact-place.ts';
import type { Database } from '../db/database.ts';
import type { Storage } from '../files/storage.ts';
import type { CueList } from './cue.ts';
import { parseWebVtt } from './parse-web-vtt.ts';
import type { TextTrack } from './text-track.ts';
import type { TextTrackStore } from './text-track-store.ts';

/** Files whose cues are kept, by characters of text: what is written once is read for every player. */
const keptCharacters = 4 * 1024 * 1024;

/** The text tracks of attachments as they are stored; what may be stored is for its writer to say. */
export class TextTracks {
  readonly #db: Database;
  readonly #storage: Storage;
  readonly #store: TextTrackStore;
  /** By place, which is filled once. */
  readonly #cues = new LRUCache<string, CueList>({ maxSize: keptCharacters });

  constructor(db: Database, storage: Storage, store: TextTrackStore) {
    this.#db = db;
    this.#storage = storage;
    this.#store = store;
  }

  /** Tracks of an attachment by index; those of another site are none. */
  list(blogId: number, attachmentId: number, sql: Knex = this.#db.knex): Promise<TextTrack[]> {
    return this.#store.list(sql, blogId, attachmentId);
  }

  /** A number that rises with every write of the list. */
  revision(blogId: number, attachmentId: number, sql: Knex = this.#db.knex): Promise<number> {
    return this.#store.revision(sql, blogId, attachmentId);
  }

  /** What the file of a track holds; null when it is gone. */
  async cues(blogId: number, { place, name }: Pick<TextTrack, 'place' | 'name'>): Promise<CueList | null> {
    const kept = this.#cues.get(place);
    if (kept) return kept;
    const file = await this.#storage.read(contentKey({ blog_id: blogId, place, tree: false, name }));
    if (file === null) return null;
    const text = await wholeText(file.stream);
    const cues = parseWebVtt(text);
    this.#cues.set(place, cues, { size: text.length + 1 });
    return cues;
  }
}
