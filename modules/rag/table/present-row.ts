import { yup } from '@lyceum/core';
import { statusIcon } from '../chunk-status.ts';
import { localTime } from '../local-time.ts';
import { shownCharacters, type TableRow } from './table-store.ts';

const whole = () => yup.number().integer().required();
const text = () => yup.string().defined();

/** A row of the table; all of it plain text. */
export const RowRecord = yup.object({
  DT_RowId: text(),
  id_chunk: whole(),
  id_post: whole(),
  post_title: text(),
  status: whole(),
  status_icon: text(),
  content: text(),
  content_hash: text(),
  word_count: whole(),
  created_at: text(),
  created_at_human: text(),
});

export const TableRecord = yup.object({
  draw: whole(),
  recordsTotal: whole(),
  recordsFiltered: whole(),
  data: yup.array().of(RowRecord).required(),
});

export const presentRow = (row: TableRow, timeZone: string): yup.InferType<typeof RowRecord> => ({
  ...row,
  DT_RowId: `chunk_${row.id_chunk}`,
  status_icon: statusIcon(row.status),
  content: shortened(row.content),
  created_at_human: localTime(row.created_at, timeZone),
});

/** PostgreSQL counts characters as people do; the language of this file counts halves of some. */
function shortened(content: string): string {
  const characters = [...content];
  return characters.length > shownCharacters ? `${characters.slice(0, shownCharacters).join('')}…` : content;
}
