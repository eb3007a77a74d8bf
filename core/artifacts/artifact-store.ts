import type { Knex } from 'knex';
import type { Artifact, ArtifactFolder, NewArtifact, StoredContent } from './artifact.ts';

const columns = (
  'r.id r.blog_id r.attachment_id r.folder r.name r.place r.tree r.bytes r.mime_type r.format_key r.meta ' +
  'r.hashed r.created_at'
).split(' ');

const path = `'artifacts/' || a.post_id || '-' || a.artifact_token || '/' || r.folder || '/' || r.name`;

/** Which artifacts of an attachment; absent fields leave none out. */
export interface ArtifactFilter {
  readonly folder?: ArtifactFolder | undefined;
  readonly names?: readonly string[] | undefined;
  readonly ids?: readonly number[] | undefined;
  readonly formatKeys?: readonly string[] | undefined;
}

function query(sql: Knex, blogId: number, attachmentId: number, filter: ArtifactFilter): Knex.QueryBuilder {
  const { folder, names, ids, formatKeys } = filter;
  const found = sql('playback_artifacts as r')
    .join('attachments as a', 'a.post_id', 'r.attachment_id')
    .where({ 'r.blog_id': blogId, 'r.attachment_id': attachmentId });
  if (folder !== undefined) found.where('r.folder', folder);
  if (names !== undefined) found.whereRaw('r.name = any(?)', [[...names]]);
  if (ids !== undefined) found.whereRaw('r.id = any(?)', [[...ids]]);
  if (formatKeys !== undefined) found.whereRaw('r.format_key = any(?)', [[...formatKeys]]);
  return found;
}

/** Reads and writes the rows of artifacts. */
export class ArtifactStore {
  /** By folder and name. */
  async list(sql: Knex, blogId: number, attachmentId: number, filter: ArtifactFilter): Promise<Artifact[]> {
    const found = query(sql, blogId, attachmentId, filter).orderByRaw('r.folder, r.name collate "C"');
    return (await found.select([...columns, sql.raw(`${path} as path`)])) as Artifact[];
  }

  /** Other writers of the attachment's artifacts wait until the transaction ends. False when it is gone. */
  async lock(trx: Knex.Transaction, blogId: number, attachmentId: number): Promise<boolean> {
    const query = trx('attachments').where({ blog_id: blogId, post_id: attachmentId }).forNoKeyUpdate();
    return (await query.first('post_id')) !== undefined;
  }

  /** What the paths of the attachment's artifacts begin with; null when it is gone. Locks as `lock` does. */
  async basePath(trx: Knex.Transaction, blogId: number, attachmentId: number): Promise<string | null> {
    const query = trx('attachments').where({ blog_id: blogId, post_id: attachmentId }).forNoKeyUpdate();
    const row = (await query.first('artifact_token')) as { artifact_token: string } | undefined;
    return row ? `artifacts/${attachmentId}-${row.artifact_token}` : null;
  }

  async insert(
    trx: Knex.Transaction,
    { blogId, attachmentId, place, tree, bytes }: StoredContent,
    { meta, ...given }: NewArtifact,
  ): Promise<number> {
    const row = { blog_id: blogId, attachment_id: attachmentId, place, tree, bytes, ...given };
    const [inserted] = (await trx('playback_artifacts')
      .insert({ ...row, meta: JSON.stringify(meta) })
      .returning('id')) as { id: number }[];
    if (!inserted) throw new Error('An artifact was not written.');
    return inserted.id;
  }

  async rename(trx: Knex.Transaction, id: number, name: string): Promise<void> {
    await trx('playback_artifacts').where('id', id).update({ name, hashed: false });
  }

  async setMeta(trx: Knex.Transaction, id: number, meta: Artifact['meta']): Promise<void> {
    await trx('playback_artifacts')
      .where('id', id)
      .update({ meta: JSON.stringify(meta) });
  }

  async remove(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
    await trx('playback_artifacts')
      .whereRaw('id = any(?)', [[...ids]])
      .delete();
  }

  /** Which of these names the folder has. */
  async taken(
    trx: Knex.Transaction,
    attachmentId: number,
    folder: ArtifactFolder,
    names: readonly string[],
  ): Promise<Set<string>> {
    const rows = (await trx('playback_artifacts')
      .where({ attachment_id: attachmentId, folder })
      .whereRaw('name = any(?)', [[...names]])
      .pluck('name')) as string[];
    return new Set(rows);
  }
}
