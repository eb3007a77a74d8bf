import type { Knex } from 'knex';

/** Notes of stored files that no row has: not yet, or not any more. */
export class StrayStore {
  /** To be done before the file is stored. */
  async note(sql: Knex, blogId: number, fileKey: string): Promise<void> {
    await sql('local_stray_files').insert({ file_key: fileKey, blog_id: blogId });
  }

  /** This transaction gives the file to a row, or removed it. False when somebody did before. */
  async settle(trx: Knex.Transaction, fileKey: string): Promise<boolean> {
    return (await trx('local_stray_files').where({ file_key: fileKey }).delete()) > 0;
  }

  /** Keys that were noted before a moment, oldest first, at most so many. */
  async notedBefore(sql: Knex, moment: Date, most: number): Promise<string[]> {
    const query = sql('local_stray_files').where('noted_at', '<', moment).orderBy('noted_at').limit(most);
    return (await query.pluck('file_key')) as string[];
  }
}
