import {
  type Call,
  callerOf,
  checkPagebuilder,
  Documents,
  documentHash,
  type Editor,
  fail,
  type Post,
  provedBy,
  type RevisionOrigin,
  Revisions,
  standardWidgets,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { bearer } from './bearer.ts';
import { lockDocument } from './find-document.ts';

export interface SentDocument {
  /** Hash of the text that the studio began with. */
  readonly base_hash: string;
  readonly content: string;
  readonly title?: string | undefined;
  readonly editor?: Editor | undefined;
}

export interface Written {
  readonly post: Post;
  readonly changed: boolean;
  /** null where the state that was found is in no revision. */
  readonly revisionId: number | null;
}

/**
 * Decides and writes under the lock of the post, so of any number with one base the first alone gets in.
 * @throws `studio_sync_post_not_found`, `studio_sync_insufficient_permissions`, `studio_sync_editor_mismatch`,
 * `studio_sync_conflict`, `studio_sync_invalid_content`
 */
export async function writeDocument(
  trx: Knex.Transaction,
  call: Call,
  postId: number,
  sent: SentDocument,
): Promise<Written> {
  const revisions = call.get(Revisions);
  const hash = documentHash(sent.content);
  const post = await lockDocument(trx, call, postId);
  const fields = sent.title === undefined || sent.title === post.title ? {} : { title: sent.title };
  if (hash === post.hash) {
    if (fields.title === undefined) {
      return { post, changed: false, revisionId: await revisions.holding(post, trx) };
    }
    const titled = await revisions.write(trx, call, post, { content: null, fields }, originOf(call));
    return { ...titled, changed: false };
  }
  await refuseUnfit(trx, call, post, sent);
  const written = await revisions.write(trx, call, post, { content: sent.content, fields }, originOf(call));
  return { ...written, changed: true };
}

/** Whether a text that differs may take the place of the one that is there. */
async function refuseUnfit(trx: Knex.Transaction, call: Call, post: Post, sent: SentDocument): Promise<void> {
  const { editor, hash } = call.get(Documents).of(post);
  if (sent.editor !== undefined && sent.editor !== editor) {
    fail('studio_sync_editor_mismatch', { data: { editor } });
  }
  if (sent.base_hash !== hash) {
    const revision_id = await call.get(Revisions).holding(post, trx);
    const { modified_at } = post;
    fail('studio_sync_conflict', { data: { base_hash: sent.base_hash, hash, modified_at, revision_id } });
  }
  if (editor !== 'pagebuilder') return;
  const { valid, problems } = checkPagebuilder(sent.content, standardWidgets);
  if (!valid) fail('studio_sync_invalid_content', { data: { problems } });
}

const originOf = (call: Call): RevisionOrigin => ({
  source: 'studio',
  userId: callerOf(call).id,
  connectionId: provedBy(call, bearer).connection_id,
  keep: call.setting<number>('revisions_keep'),
});
