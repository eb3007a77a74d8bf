import type { Database, NamedStatement } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Package, PackageDocument, PackageFile } from './package.ts';

/** A file as its address finds it. */
export interface ServedRow {
  readonly file_key: string;
  readonly bytes: number;
  readonly mime_type: string;
  readonly stored_at: string;
  readonly token: string;
}

const served: NamedStatement = {
  name: 'embed-package-file',
  text: `select f.file_key, f.bytes, f.mime_type, f.stored_at, p.token
    from embed_package_files f join embed_packages p on p.id = f.package_id
    where f.package_id = $1 and f.revision = $2 and f.path = $3 and p.blog_id = $4`,
};

/** Rows that one statement writes or reads. */
const atOnce = 1_000;

type Revision = Pick<Package, 'id' | 'blog_id' | 'revision'>;
type Shown = Pick<Package, 'id' | 'revision'>;
type Begun = Pick<Package, 'id' | 'revision' | 'entry'>;

/** Files and documents of revisions. */
export class ContentStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The file at an address; one look into an index. */
  async served(blogId: number, packageId: number, revision: number, path: string): Promise<ServedRow | null> {
    const [row] = await this.#db.lookUp<ServedRow>(served, [packageId, revision, path, blogId]);
    return row ?? null;
  }

  async insert(
    trx: Knex.Transaction,
    { id, blog_id, revision }: Revision,
    files: readonly PackageFile[],
    documents: readonly PackageDocument[],
  ): Promise<void> {
    const values = { blogId: blog_id, id, revision };
    for (let at = 0; at < files.length; at += atOnce) {
      await trx.raw(
        `insert into embed_package_files (blog_id, package_id, revision, path, file_key, bytes, mime_type)
         select :blogId, :id, :revision, r.path, r.file_key, r.bytes, r.mime_type
         from json_to_recordset(:rows::json) as r (path text, file_key text, bytes bigint, mime_type text)`,
        { ...values, rows: JSON.stringify(files.slice(at, at + atOnce)) },
      );
    }
    for (let at = 0; at < documents.length; at += atOnce) {
      const rows = documents.slice(at, at + atOnce).map((page, index) => ({ ...page, position: at + index }));
      await trx.raw(
        `insert into embed_package_pages (blog_id, package_id, revision, path, title, lang, position)
         select :blogId, :id, :revision, r.path, r.title, r.lang, r.position
         from json_to_recordset(:rows::json) as r (path text, title text, lang text, position int)`,
        { ...values, rows: JSON.stringify(rows) },
      );
    }
  }

  /** Documents of the revision in their order, the entry of now first; their index is their position. */
  async documents(sql: Knex, { id, revision, entry }: Begun): Promise<PackageDocument[]> {
    const query = sql('embed_package_pages')
      .where({ package_id: id, revision })
      .orderByRaw('path <> ?', [entry ?? ''])
      .orderBy('position');
    return query.select('path', 'title', 'lang');
  }

  async hasDocument(sql: Knex, { id, revision }: Shown, path: string): Promise<boolean> {
    return Boolean(await sql('embed_package_pages').where({ package_id: id, revision, path }).first('path'));
  }

  /** Files of the revision by path, read some at a time. Their keys are those below the package's folder. */
  async *files(sql: Knex, { id, revision }: Shown): AsyncGenerator<PackageFile> {
    for (let after = ''; ; ) {
      const rows = (await sql('embed_package_files')
        .where({ package_id: id, revision })
        .where('path', '>', after)
        .orderBy('path')
        .limit(atOnce)
        .select('path', 'file_key', 'bytes', 'mime_type')) as PackageFile[];
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < atOnce) return;
      after = last.path;
    }
  }

  async remove(sql: Knex, packageId: number, revision: number): Promise<void> {
    for (const table of ['embed_package_files', 'embed_package_pages']) {
      await sql(table).where({ package_id: packageId, revision }).delete();
    }
  }
}
