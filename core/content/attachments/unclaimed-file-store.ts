import type { Knex } from 'knex';

/** Notes of files that are stored before the rows that refer to them. */
export class UnclaimedFileStore {
  async note(sql: Knex, fileKey: string): Promise<void> {
    await sql('unclaimed_files').insert({ file_key: fileKey });
  }

  /** The note goes: with the transaction that writes the row, or with the file. False when it is gone already. */
  async settle(trx: Knex.Transaction, fileKey: string): Promise<boolean> {
    return (await trx('unclaimed_files').where('file_key', fileKey).delete()) > 0;
  }

  /** Keys that were noted before a time, oldest first. */
  async notedBefore(sql: Knex, moment: Date): Promise<string[]> {
    const query = sql('unclaimed_files').where('noted_at', '<', moment).orderBy('noted_at');
    return (await query.pluck('file_key')) as string[];
  }
}
