import type { Database, NamedStatement } from '../../db/database.ts';
import type { PostStatus } from '../post.ts';

/** An attachment's file as it is served. */
export interface SiteFile {
  readonly attachment_id: number;
  readonly status: PostStatus;
  readonly author_id: number;
  readonly grant_epoch: number;
  readonly file_key: string;
  readonly filename: string;
  readonly mime_type: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly modified_at: string;
}

const byPath: NamedStatement = {
  name: 'site-file',
  text: `select p.id as attachment_id, p.status, p.author_id, p.modified_at,
      a.grant_epoch, a.file_key, a.filename, a.mime_type, a.bytes, a.sha256
    from attachments a join posts p on p.id = a.post_id
    where a.blog_id = $1 and a.path = $2 and a.file_key is not null`,
};

/** Finds what lies under a path of a site's `/files/`: one look into one index. */
export class SiteFiles {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param path below `/files/`, without leading slash; null when nothing of this site is there */
  async find(blogId: number, path: string): Promise<SiteFile | null> {
    const [file] = await this.#db.lookUp<SiteFile>(byPath, [blogId, path]);
    return file ?? null;
  }
}
