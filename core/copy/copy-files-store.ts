import type { Knex } from 'knex';
import type { MediaInfo } from '../media/media-info.ts';

/** An attachment's file that is to be copied: the source's row as it is now. */
export interface FileToCopy {
  readonly old_id: number;
  readonly new_id: number;
  readonly path: string | null;
  readonly file_key: string;
  readonly filename: string;
  readonly mime_type: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration: number | null;
  readonly media_info: MediaInfo | null;
}

/** The next attachments with a file, in the order of their ids in the source. */
export async function filesToCopy(
  sql: Knex,
  jobId: string,
  after: number,
  limit: number,
): Promise<FileToCopy[]> {
  return (await sql('site_copy_map as m')
    .join('attachments as a', 'a.post_id', 'm.old_id')
    .where({ 'm.job_id': jobId, 'm.kind': 'attachment' })
    .where('m.old_id', '>', after)
    .where('m.new_id', '>', 0)
    .whereNotNull('a.file_key')
    .orderBy('m.old_id')
    .limit(limit)
    .select(columns)) as FileToCopy[];
}

const columns = [
  ...['m.old_id', 'm.new_id'],
  ...'path file_key filename mime_type bytes sha256 width height duration media_info'
    .split(' ')
    .map((name) => `a.${name}`),
];

/** The same file as it is now; null when its attachment is gone or has none. */
export async function fileNow(sql: Knex, { old_id, new_id }: FileToCopy): Promise<FileToCopy | null> {
  const row = await sql('attachments as a')
    .where('a.post_id', old_id)
    .whereNotNull('a.file_key')
    .first(columns.filter((name) => name.startsWith('a.')));
  return row ? { ...(row as FileToCopy), old_id, new_id } : null;
}

/** The copy of the attachment has this file now. */
export async function setFile(
  trx: Knex.Transaction,
  { new_id, old_id: _old, file_key: _key, ...facts }: FileToCopy,
  fileKey: string,
): Promise<void> {
  await trx('attachments')
    .where('post_id', new_id)
    .update({ ...facts, file_key: fileKey });
}
