import type { Call } from '@lyceum/core';
import type { CopyWish } from './copy-wish.ts';
import type { Source } from './source.ts';
import { checkTarget, type Target } from './target.ts';
import { TargetCopies } from './target-copies.ts';
import { ownAttachments, usedAttachments } from './used-attachments.ts';

/**
 * Copies of the source to this site. What is asked about attachments is asked after the rights.
 * @throws `rest_forbidden`, `site_unavailable`, `post_type_not_duplicable`
 */
export async function copiesTo(
  call: Call,
  source: Source,
  target: Target,
  wish: CopyWish,
): Promise<TargetCopies> {
  checkTarget(call, target, source.type.id, wish);
  if (!target.isHome) {
    return new TargetCopies(call, source, target, wish, await usedAttachments(call, source));
  }
  const own = wish.copy_attachments ? await ownAttachments(call, source) : [];
  return new TargetCopies(call, source, target, wish, own);
}
