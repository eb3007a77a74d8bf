import type { Knex } from 'knex';

/** How many entries the form has, without counting them. */
export async function countEntries(sql: Knex, formId: number): Promise<number> {
  const row = await sql('form_entry_counts').where('form_id', formId).first('entries');
  return (row as { entries: number } | undefined)?.entries ?? 0;
}

/** Adds to the number of a form that is locked, or takes from it. */
export async function addToCount(
  trx: Knex.Transaction,
  form: { readonly id: number; readonly blog_id: number },
  change: number,
): Promise<void> {
  await trx.raw(
    `insert into form_entry_counts (form_id, blog_id, entries) values (?, ?, ?)
     on conflict (form_id) do update set entries = form_entry_counts.entries + excluded.entries`,
    [form.id, form.blog_id, change],
  );
}
