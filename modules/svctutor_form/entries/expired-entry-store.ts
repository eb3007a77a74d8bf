import type { Knex } from 'knex';

/** Sites that have entries. */
export async function sitesWithEntries(sql: Knex): Promise<number[]> {
  const rows = (await sql('form_entry_counts')
    .where('entries', '>', 0)
    .distinct('blog_id')
    .orderBy('blog_id')) as { blog_id: number }[];
  return rows.map(({ blog_id }) => blog_id);
}

/** A form of the site with an entry from before then. */
export async function formWithExpired(sql: Knex, blogId: number, before: Date): Promise<number | null> {
  const row = await sql('form_entries')
    .where('blog_id', blogId)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .first('form_id');
  return (row as { form_id: number } | undefined)?.form_id ?? null;
}

/** Deletes at most so many entries of the form from before then; how many. */
export async function deleteExpired(
  trx: Knex.Transaction,
  formId: number,
  before: Date,
  most: number,
): Promise<number> {
  const expired = trx('form_entries')
    .where('form_id', formId)
    .where('created_at', '<', before)
    .limit(most)
    .select('entry_id');
  return trx('form_entries').whereIn('entry_id', expired).delete();
}
