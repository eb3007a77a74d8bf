import type { SiteFile } from '../content/attachments/site-file-store.ts';
import type { Database, NamedStatement } from '../db/database.ts';
import { extensionOf } from '../files/file-name.ts';
import { mimeOfExtension } from '../files/mime-types.ts';
import type { Storage } from '../files/storage.ts';
import { treeEntry } from './artifact.ts';
import { type ArtifactAddress, contentKey, placeFolder, readArtifactPath } from './artifact-place.ts';

interface Found {
  readonly attachment_id: number;
  readonly blog_id: number;
  readonly status: SiteFile['status'];
  readonly author_id: number;
  readonly grant_epoch: number;
  readonly name: string;
  readonly place: string;
  readonly tree: boolean;
  readonly bytes: number;
  readonly mime_type: string;
  readonly hashed: boolean;
  readonly created_at: string;
}

/** The artifact comes before what it superseded, the newest of several first. */
const byAddress: NamedStatement = {
  name: 'artifact-file',
  text: `select p.id as attachment_id, p.blog_id, p.status, p.author_id, a.grant_epoch,
      r.name, r.place, r.tree, r.bytes, r.mime_type, r.hashed, r.created_at
    from attachments a join posts p on p.id = a.post_id
    cross join lateral (
      select name, place, tree, bytes, mime_type, hashed, created_at, 0 as past from playback_artifacts
        where attachment_id = a.post_id and folder = $4 and name = $5
      union all
      select name, place, tree, bytes, mime_type, hashed, created_at, 1 from artifact_remains
        where attachment_id = a.post_id and blog_id = a.blog_id and folder = $4 and name = $5 and remove_after > $6
      order by past, created_at desc limit 1
    ) r
    where a.blog_id = $1 and a.post_id = $2 and a.artifact_token = $3`,
};

/** An artifact's file as it is served. */
export interface ArtifactFile extends SiteFile {
  /** Its address will never give other bytes. */
  readonly immutable: boolean;
}

/** Finds what lies under an artifact's address: one look into one index. */
export class ArtifactFiles {
  readonly #db: Database;
  readonly #storage: Storage;
  readonly #now: () => Date;

  constructor(db: Database, storage: Storage, now: () => Date) {
    this.#db = db;
    this.#storage = storage;
    this.#now = now;
  }

  /** @param path below `/files/`, decoded and checked; null when nothing of this site is there */
  async find(blogId: number, path: string): Promise<ArtifactFile | null> {
    const address = readArtifactPath(path);
    if (address === null) return null;
    const { attachmentId, token, folder, head, inner } = address;
    const name = inner === null ? head : `${head}/${treeEntry}`;
    const values = [blogId, attachmentId, token, folder, name, this.#now()];
    const [found] = await this.#db.named<Found>(byAddress, values);
    if (!found || found.tree !== (inner !== null)) return null;
    return inner === null ? served(found, contentKey(found), found.bytes) : this.#inner(found, address);
  }

  /** A file of a tree, whose size only the storage knows. */
  async #inner(found: Found, { inner }: ArtifactAddress): Promise<ArtifactFile | null> {
    const key = `${placeFolder(found.blog_id, found.place)}/${inner}`;
    const facts = await this.#storage.stat(key);
    if (facts === null) return null;
    return { ...served(found, key, facts.bytes), mime_type: mimeOfExtension(extensionOf(key)) };
  }
}

function served(found: Found, key: string, bytes: number): ArtifactFile {
  const { attachment_id, status, author_id, grant_epoch, mime_type, place, hashed, created_at } = found;
  return {
    ...{ attachment_id, status, author_id, grant_epoch, mime_type, bytes },
    file_key: key,
    filename: found.name.split('/').at(-1) ?? found.name,
    // A place is filled once, so its name stands for its bytes.
    sha256: place,
    modified_at: created_at,
    immutable: hashed,
  };
}
