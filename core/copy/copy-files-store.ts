import type { Knex } from 'knex';

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
    .select(
      ...['m.old_id', 'm.new_id', 'a.path', 'a.file_key', 'a.filename', 'a.mime_type', 'a.bytes', 'a.sha256'],
    )) as FileToCopy[];
}

/** The copy of the attachment has this file now. */
export async function setFile(
  trx: Knex.Transaction,
  { new_id, path, filename, mime_type, bytes, sha256 }: FileToCopy,
  fileKey: string,
): Promise<void> {
  await trx('attachments')
    .where('post_id', new_id)
    .update({ path, file_key: fileKey, filename, mime_type, bytes, sha256 });
}
