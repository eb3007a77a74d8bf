import type { Knex } from 'knex';
import type { Entry } from './entry.ts';

/** The greatest id among the form's entries; 0 without any. */
export async function lastEntryId(sql: Knex, formId: number): Promise<number> {
  const row = await sql('form_entries').where('form_id', formId).max({ last: 'entry_id' }).first();
  return Number(row?.last ?? 0);
}

/** Names of the fields of the form's entries up to this id, in order of first appearance; at most so many. */
export async function fieldNames(sql: Knex, formId: number, last: number, most: number): Promise<string[]> {
  const { rows } = (await sql.raw(
    `select field ->> 'name' as name from form_entries e
       cross join lateral jsonb_array_elements(e.fields) with ordinality as f (field, place)
     where e.form_id = ? and e.entry_id <= ?
     group by 1 order by min(array[e.index, place]) limit ?`,
    [formId, last, most],
  )) as { rows: { name: string }[] };
  return rows.map(({ name }) => name);
}

/** The next entries of the form after a number, by their numbers, up to an id. */
export async function nextEntries(
  sql: Knex,
  formId: number,
  { after, last, limit }: { readonly after: number; readonly last: number; readonly limit: number },
): Promise<Pick<Entry, 'index' | 'created_at' | 'user_id' | 'fields'>[]> {
  return sql('form_entries')
    .where('form_id', formId)
    .where('index', '>', after)
    .where('entry_id', '<=', last)
    .orderBy('index')
    .limit(limit)
    .select('index', 'created_at', 'user_id', 'fields');
}
