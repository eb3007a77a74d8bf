import type { Knex } from 'knex';
import { byteOrderMark, row } from './csv.ts';
import type { Entry, EntryField } from './entry.ts';
import { fieldNames, lastEntryId, nextEntries } from './entry-table-store.ts';

/** Entries that are in memory at a time: most have a kilobyte, some may have two megabytes. */
const batch = 50;

const ownColumns = ['index', 'created_at', 'user_id'] as const;

/** Spreadsheets open this many columns. Names are the clients', so more of them must not fill the memory. */
const mostFields = 16_384 - ownColumns.length;

/** The entries of a form as CSV, as they are when it begins: what is handed in meanwhile is left out. */
export async function* entryTable(sql: Knex, formId: number): AsyncGenerator<string> {
  const last = await lastEntryId(sql, formId);
  const names = await fieldNames(sql, formId, last, mostFields);
  yield byteOrderMark + row([...ownColumns, ...names]);
  for (let after = 0; ; ) {
    const entries = await nextEntries(sql, formId, { after, last, limit: batch });
    for (const entry of entries) {
      yield rowOf(entry, names);
      after = entry.index;
    }
    if (entries.length < batch) return;
  }
}

type Listed = Pick<Entry, 'index' | 'created_at' | 'user_id' | 'fields'>;

function rowOf({ index, created_at, user_id, fields }: Listed, names: readonly string[]): string {
  const answers = answersByName(fields);
  return row([
    String(index),
    created_at,
    user_id === null ? '' : String(user_id),
    ...names.map((name) => answers.get(name) ?? ''),
  ]);
}

/** Fields may share a name, as those of a part of the form that is repeated do: their answers share a cell. */
function answersByName(fields: readonly EntryField[]): ReadonlyMap<string, string> {
  const answers = new Map<string, string>();
  for (const { name, string } of fields) {
    const before = answers.get(name);
    answers.set(name, before === undefined ? string : `${before}; ${string}`);
  }
  return answers;
}
