import type { Knex } from 'knex';

/** A folder in the storage that no revision has, or none has any more. */
export interface Remains {
  readonly folder: string;
  readonly blog_id: number;
  readonly package_id: number;
  /** The revision whose files lie there; its rows go with them. Null where there are no rows. */
  readonly revision: number | null;
}

/** Notes of folders that are to go, so that what a killed process leaves is found. */
export class RemainsStore {
  /** Before the first byte of new content, and in the transaction that takes old content away. */
  async note(sql: Knex, remains: Remains, removeAfter: Date): Promise<void> {
    await sql('embed_package_remains')
      .insert({ ...remains, remove_after: removeAfter })
      .onConflict('folder')
      .merge();
  }

  /** The note goes with the transaction that shows the content. False when it was swept up already. */
  async settle(trx: Knex.Transaction, folder: string): Promise<boolean> {
    return (await trx('embed_package_remains').where({ folder }).delete()) > 0;
  }

  /** Notes that were due at this moment, oldest first. */
  async dueAt(sql: Knex, moment: Date, limit: number): Promise<Remains[]> {
    const query = sql('embed_package_remains').where('remove_after', '<=', moment);
    return query.orderBy('remove_after').limit(limit).select('folder', 'blog_id', 'package_id', 'revision');
  }

  async find(sql: Knex, folder: string): Promise<Remains | null> {
    const query = sql('embed_package_remains').where({ folder });
    return (await query.first('folder', 'blog_id', 'package_id', 'revision')) ?? null;
  }

  async forget(sql: Knex, folder: string): Promise<void> {
    await sql('embed_package_remains').where({ folder }).delete();
  }

  /** Rows of files that packages have of revisions before their own and that nobody noted: copies of a site bring them. */
  async unnoted(sql: Knex, limit: number): Promise<Remains[]> {
    const { rows } = (await sql.raw(
      `select p.blog_id, p.id as package_id, f.revision,
         'sites/' || p.blog_id || '/embed-packages/' || p.id || '/' || split_part(f.file_key, '/', 1) as folder
       from embed_packages p cross join lateral (
         select revision, file_key from embed_package_files
         where package_id = p.id and revision < p.revision order by revision limit 1) f
       where not exists (select 1 from embed_package_remains r
         where r.package_id = p.id and r.revision = f.revision)
       limit ?`,
      [limit],
    )) as { rows: Remains[] };
    return rows;
  }
}
