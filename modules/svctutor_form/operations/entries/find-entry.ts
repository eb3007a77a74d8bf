import { type Call, Database, fail, type Post, Posts, readId } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Entry } from '../../entries/entry.ts';
import { findEntry } from '../../entries/entry-store.ts';
import { editable } from '../../form/find-form.ts';

interface Found {
  readonly entry: Entry;
  readonly form: Post;
}

/** Codes of the two below. */
export const entryErrors = ['svctutor_form_entry_not_found', 'invalid_permissions'] as const;

async function ofSite(sql: Knex, call: Call, entryId: string): Promise<Entry> {
  const id = readId(entryId);
  const entry = id === null ? null : await findEntry(sql, call.site.blog_id, id);
  return entry ?? fail('svctutor_form_entry_not_found');
}

const withForm = (call: Call, entry: Entry, form: Post | null): Found => ({
  entry,
  form: editable(call, form ?? fail('svctutor_form_entry_not_found')),
});

/** The entry with its form, which may be in the trash, if the caller may edit that. */
export async function entryFor(call: Call, entryId: string): Promise<Found> {
  const entry = await ofSite(call.get(Database).knex, call, entryId);
  return withForm(call, entry, await call.get(Posts).find(call.site.blog_id, entry.form_id));
}

/** The same with the form locked, under whose lock entries come and go. */
export async function lockEntry(trx: Knex.Transaction, call: Call, entryId: string): Promise<Found> {
  const entry = await ofSite(trx, call, entryId);
  return withForm(call, entry, await call.get(Posts).lock(trx, call.site.blog_id, entry.form_id));
}
