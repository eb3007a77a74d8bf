import type { Knex } from 'knex';
import type { Artifact, StoredContent } from './artifact.ts';

/** A place in the storage that no artifact has, or none has any more. */
export interface Remains {
  readonly blog_id: number;
  readonly place: string;
}

/** Notes of places whose files are to go; so what a killed process leaves is found. */
export class ArtifactRemainsStore {
  /** Before the first byte of new content. */
  async note(sql: Knex, content: Omit<StoredContent, 'bytes' | 'hash'>, until: Date): Promise<void> {
    const { blogId: blog_id, attachmentId: attachment_id, place, tree } = content;
    const blank = { bytes: 0, mime_type: '', hashed: false, created_at: sql.fn.now() };
    await sql('artifact_remains').insert({
      ...{ blog_id, attachment_id, place, tree, ...blank },
      remove_after: until,
    });
  }

  /** The note goes with the transaction that writes the artifact. False when it was swept up already. */
  async settle(trx: Knex.Transaction, { blogId, place }: StoredContent): Promise<boolean> {
    return (await trx('artifact_remains').where({ blog_id: blogId, place }).delete()) > 0;
  }

  /** What artifacts were: it goes at this time, and is served until then or not at all. */
  async keep(
    trx: Knex.Transaction,
    artifacts: readonly Artifact[],
    until: Date,
    isServed: boolean,
  ): Promise<void> {
    if (artifacts.length === 0) return;
    await trx('artifact_remains').insert(
      artifacts.map(({ blog_id, place, attachment_id, tree, bytes, mime_type, hashed, ...artifact }) => ({
        ...{ blog_id, place, attachment_id, tree, bytes, mime_type, hashed },
        folder: isServed ? artifact.folder : null,
        name: isServed ? artifact.name : null,
        created_at: artifact.created_at,
        remove_after: until,
      })),
    );
  }

  /** Serves noted content under this folder and name until it goes. False when it was swept up already. */
  async serve(
    trx: Knex.Transaction,
    { blogId, place, bytes }: StoredContent,
    served: { readonly folder: string; readonly name: string; readonly mime_type: string },
    until: Date,
  ): Promise<boolean> {
    const changes = { ...served, bytes, hashed: true, created_at: trx.fn.now(), remove_after: until };
    return (await trx('artifact_remains').where({ blog_id: blogId, place }).update(changes)) > 0;
  }

  /** What superseded content of an attachment is served no longer. */
  async hide(trx: Knex.Transaction, blogId: number, attachmentId: number, now: Date): Promise<void> {
    await trx('artifact_remains')
      .where({ blog_id: blogId, attachment_id: attachmentId })
      .whereNotNull('folder')
      .update({ folder: null, name: null, remove_after: now });
  }

  async makeDue(sql: Knex, { blog_id, place }: Remains, now: Date): Promise<void> {
    await sql('artifact_remains').where({ blog_id, place }).update({ remove_after: now });
  }

  /** One place that is due, which nobody else takes until the transaction ends; null when there is none. */
  async nextDue(trx: Knex.Transaction, now: Date): Promise<Remains | null> {
    const query = trx('artifact_remains').where('remove_after', '<=', now).orderBy('remove_after');
    return (await query.forUpdate().skipLocked().first('blog_id', 'place')) ?? null;
  }

  /** False when there is no such note. */
  async forget(trx: Knex.Transaction, { blog_id, place }: Remains): Promise<boolean> {
    return (await trx('artifact_remains').where({ blog_id, place }).delete()) > 0;
  }
}
