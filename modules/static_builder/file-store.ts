import type { Database, NamedStatement } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Build } from './build.ts';

/** What a file of a course is there for. */
export type FileKind = 'page' | 'media' | 'package' | 'player' | 'manifest' | 'zip';

/** A file of a revision. */
export interface BuildFile {
  /** Below the folder of the build. */
  readonly path: string;
  readonly kind: FileKind;
  readonly page_id: number | null;
  /** Of what it was made; the same word stands for the same bytes. */
  readonly source: string | null;
  /** In the storage; null for one that was superseded. */
  readonly file_key: string | null;
  readonly bytes: number;
  readonly sha256: string;
  readonly mime_type: string;
}

/** A file as it is served. */
export interface ServedFile extends Pick<BuildFile, 'bytes' | 'sha256' | 'mime_type'> {
  readonly file_key: string;
  readonly published_revision: number;
  readonly stored_at: string;
}

/** One revision of a build. */
export type RevisionRef = Pick<Build, 'id' | 'blog_id'> & { readonly revision: number };

/** A file in a comparison of two revisions. */
export interface ChangedFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly page_id: number | null;
  readonly change: 'added' | 'removed' | 'changed';
  readonly bytes: number;
}

/** So many revisions that were published are known after they were superseded. */
const knownRevisions = 10;

const columns = ['path', 'kind', 'page_id', 'source', 'file_key', 'bytes', 'sha256', 'mime_type'];

const servedFile: NamedStatement = {
  name: 'static-builder-file',
  text: `select f.file_key, f.bytes, f.sha256, f.mime_type, f.stored_at, b.published_revision
    from static_builds b join static_build_files f
      on f.build_id = b.id and f.revision = b.published_revision and f.path = $4
    where b.id = $2 and b.blog_id = $1 and b.token = $3 and f.file_key is not null`,
};

/** The files of revisions: which there are, where their bytes lie, and which of them are served. */
export class FileStore {
  /** What the published revision has under a path: one look into two indexes. */
  async served(
    db: Database,
    blogId: number,
    place: { readonly id: number; readonly token: string; readonly path: string },
  ): Promise<ServedFile | null> {
    const values = [blogId, place.id, place.token, place.path];
    return (await db.lookUp<ServedFile>(servedFile, values))[0] ?? null;
  }

  async of(
    sql: Knex,
    { id, revision }: RevisionRef,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, BuildFile>> {
    const query = sql('static_build_files').where({ build_id: id, revision });
    const rows = (await query.whereRaw('path = any(?)', [[...paths]]).select(columns)) as BuildFile[];
    return new Map(rows.map((row) => [row.path, row]));
  }

  /** Writes files of a revision; one that is there already stays. */
  async add(trx: Knex, { id, blog_id, revision }: RevisionRef, files: readonly BuildFile[]): Promise<void> {
    if (files.length === 0) return;
    const rows = files.map((file) => ({ blog_id, build_id: id, revision, ...file }));
    await trx('static_build_files').insert(rows).onConflict(['build_id', 'revision', 'path']).ignore();
  }

  /** The manifest, and then what belongs to it. */
  async manifests(sql: Knex, { id, revision }: RevisionRef): Promise<BuildFile[]> {
    const query = sql('static_build_files').where({ build_id: id, revision, kind: 'manifest' });
    const first = sql.raw(`path not in ('imsmanifest.xml', 'tincan.xml', 'cmi5.xml'), path`);
    return (await query.orderByRaw(first).select(columns)) as BuildFile[];
  }

  /** All files but the zip by path, from behind `after`. */
  async list(sql: Knex, { id, revision }: RevisionRef, after: string, limit: number): Promise<BuildFile[]> {
    const query = sql('static_build_files').where({ build_id: id, revision }).whereNot('kind', 'zip');
    return (await query
      .where('path', '>', after)
      .orderBy('path')
      .limit(limit)
      .select(columns)) as BuildFile[];
  }

  /** Paths of all files but those of the manifest and the zip, in order. */
  async paths(sql: Knex, { id, revision }: RevisionRef): Promise<string[]> {
    const query = sql('static_build_files').where({ build_id: id, revision });
    return query.whereNotIn('kind', ['manifest', 'zip']).orderBy('path').pluck('path');
  }

  async tally(
    sql: Knex,
    { id, revision }: RevisionRef,
  ): Promise<{ files: number; bytes: number; pages: number }> {
    const row = await sql('static_build_files')
      .where({ build_id: id, revision })
      .whereNot('kind', 'zip')
      .first(
        sql.raw('count(*)::int as files'),
        sql.raw('coalesce(sum(bytes), 0)::bigint as bytes'),
        sql.raw(`(count(*) filter (where kind = 'page'))::int as pages`),
      );
    return { files: Number(row.files), bytes: Number(row.bytes), pages: Number(row.pages) };
  }

  /**
   * A revision takes the place of all before it: what only those had is no longer stored, and of revisions long past
   * nothing is known any more.
   */
  async supersede(trx: Knex.Transaction, { id, revision }: RevisionRef): Promise<void> {
    const older = () => trx('static_build_files').where({ build_id: id }).where('revision', '<', revision);
    await older().whereNotNull('file_key').update({ file_key: null });
    const known = trx('static_build_files').where({ build_id: id }).distinct('revision');
    await older().whereNotIn('revision', known.orderBy('revision', 'desc').limit(knownRevisions)).delete();
  }

  /** Takes away what a run wrote that will not be finished. */
  async drop(trx: Knex.Transaction, { id, revision }: RevisionRef): Promise<void> {
    await trx('static_build_files').where({ build_id: id, revision }).delete();
  }

  /** Which of these keys some revision still needs. */
  async needed(sql: Knex, buildId: number, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const query = sql('static_build_files').where({ build_id: buildId });
    return new Set((await query.whereRaw('file_key = any(?)', [[...keys]]).pluck('file_key')) as string[]);
  }

  async isKnown(sql: Knex, { id, revision }: RevisionRef): Promise<boolean> {
    return (await sql('static_build_files').where({ build_id: id, revision }).first('path')) !== undefined;
  }

  /** What is different in a revision from an earlier one, by path. The zip is made of the rest and left out. */
  async compare(sql: Knex, { id, revision }: RevisionRef, against: number): Promise<ChangedFile[]> {
    const { rows } = (await sql.raw(
      `select coalesce(n.path, o.path) as path, coalesce(n.kind, o.kind) as kind,
         coalesce(n.page_id, o.page_id) as page_id, coalesce(n.bytes, o.bytes) as bytes,
         case when o.path is null then 'added' when n.path is null then 'removed' else 'changed' end as change
       from (select * from static_build_files where build_id = :id and revision = :now and kind <> 'zip') n
       full join (select * from static_build_files where build_id = :id and revision = :before and kind <> 'zip') o
         on o.path = n.path
       where n.sha256 is distinct from o.sha256 order by 1`,
      { id, now: revision, before: against },
    )) as { rows: ChangedFile[] };
    return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }));
  }
}
