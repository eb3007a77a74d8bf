import type { Database, NamedStatement } from '@lyceum/core';
import type { Knex } from 'knex';

export interface ProjectFile {
  readonly path: string;
  readonly sha256: string;
  readonly served: string;
}

export interface NewFile extends ProjectFile {
  readonly blog_id: number;
  readonly project_id: number;
  readonly bytes: number;
  readonly mime_type: string;
  readonly file_key: string;
}

/** A file where it is stored, as it is served. */
export interface ServedFile {
  readonly file_key: string;
  readonly bytes: number;
  readonly mime_type: string;
  readonly sha256: string;
  readonly stored_at: string;
}

const byPlace: NamedStatement = {
  name: 'local-sync-file',
  text: `select file_key, bytes, mime_type, sha256, stored_at from local_project_files
    where blog_id = $1 and served = $2`,
};

/** Files of projects. A path has one content at a time; those before it stay as long as pages name them. */
export class FileStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** What is served at a place; one look into one index. */
  async served(blogId: number, served: string): Promise<ServedFile | null> {
    const [file] = await this.#db.lookUp<ServedFile>(byPlace, [blogId, served]);
    return file ?? null;
  }

  /** The files that the project has at these paths. One query. */
  async at(sql: Knex, projectId: number, paths: readonly string[]): Promise<ProjectFile[]> {
    if (paths.length === 0) return [];
    return (await sql('local_project_files')
      .where({ project_id: projectId })
      .whereNull('superseded_at')
      .whereRaw('path = any(?)', [[...paths]])
      .select('path', 'sha256', 'served')) as ProjectFile[];
  }

  /** Gives the path this content. What lay at the same place before is stray from now on. */
  async save(trx: Knex.Transaction, file: NewFile): Promise<void> {
    const { blog_id, project_id, path, served } = file;
    await trx('local_project_files')
      .where({ project_id, path })
      .whereNull('superseded_at')
      .update({ superseded_at: trx.raw('clock_timestamp()') });
    await trx.raw(
      `with replaced as (
         delete from local_project_files where blog_id = :blog_id and served = :served returning file_key, blog_id
       )
       insert into local_stray_files (file_key, blog_id, noted_at)
       select file_key, blog_id, '-infinity' from replaced`,
      { blog_id, served },
    );
    await trx('local_project_files').insert(file);
  }

  /** Takes all files from the project: they are stray from now on. Their keys. */
  async release(trx: Knex.Transaction, projectId: number): Promise<string[]> {
    const { rows } = (await trx.raw(
      `with gone as (delete from local_project_files where project_id = ? returning file_key, blog_id)
       insert into local_stray_files (file_key, blog_id, noted_at)
       select file_key, blog_id, '-infinity' from gone returning file_key`,
      [projectId],
    )) as { rows: { file_key: string }[] };
    return rows.map(({ file_key }) => file_key);
  }

  /** The same for contents that had to give way before a moment, where no page names them any more. */
  async releaseOld(sql: Knex, before: Date): Promise<void> {
    await sql.raw(
      `with gone as (
         delete from local_project_files f where f.superseded_at < ? and not exists (
           select from local_page_files u
           where u.project_id = f.project_id and u.path = f.path and u.sha256 = f.sha256
         ) returning file_key, blog_id
       )
       insert into local_stray_files (file_key, blog_id, noted_at)
       select file_key, blog_id, '-infinity' from gone`,
      [before],
    );
  }
}
