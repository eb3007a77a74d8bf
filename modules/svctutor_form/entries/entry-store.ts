import type { Knex } from 'knex';
import type { Entry } from './entry.ts';

const columns =
  'entry_id id form_id index user_id page_id fingerprint stencil fields language locale created_at'.split(
    ' ',
  );

type NewEntry = Omit<Entry, 'entry_id' | 'index'> & { readonly blog_id: number };

/** Stores an entry of a form that is locked, under the number after its greatest one. */
export async function insertEntry(trx: Knex.Transaction, entry: NewEntry): Promise<Entry> {
  const last = trx.raw('(select coalesce(max(index), 0) + 1 from form_entries where form_id = ?)', [
    entry.form_id,
  ]);
  // Null for a user whose account goes at this moment.
  const user = trx.raw('(select id from users where id = ? for key share)', [entry.user_id]);
  const [stored] = (await trx('form_entries')
    .insert({ ...entry, user_id: user, fields: JSON.stringify(entry.fields), index: last })
    .returning(columns)) as Entry[];
  if (!stored) throw new Error('The entry was not stored.');
  return stored;
}

/** One page of a form's entries, by their numbers. */
export async function listEntries(
  sql: Knex,
  formId: number,
  order: 'asc' | 'desc',
  limit: number,
  offset: number,
): Promise<Entry[]> {
  return (await sql('form_entries')
    .where('form_id', formId)
    .orderBy('index', order)
    .limit(limit)
    .offset(offset)
    .select(columns)) as Entry[];
}

/** The entry of this id, if it is of the site. */
export async function findEntry(sql: Knex, blogId: number, entryId: number): Promise<Entry | null> {
  const row = await sql('form_entries').where({ entry_id: entryId, blog_id: blogId }).first(columns);
  return (row as Entry | undefined) ?? null;
}

/** False when it was gone already. */
export async function deleteEntry(trx: Knex.Transaction, entryId: number): Promise<boolean> {
  return (await trx('form_entries').where('entry_id', entryId).delete()) > 0;
}
