import { type Attachment, Attachments, type Call, callerOf, Database, fail } from '@lyceum/core';
import type { Knex } from 'knex';
import type { JobType } from './queue/entry.ts';
import { enqueued } from './queue/entry-record.ts';
import { MediaQueue, type NewEntry } from './queue/media-queue.ts';

/** Formats of an attachment are sent to the queue in one transaction, together with what else is to change. */
export async function enqueue(
  call: Call,
  attachment: Attachment,
  type: JobType,
  formats: NewEntry['formats'],
  also: (trx: Knex.Transaction, locked: Attachment) => Promise<unknown>,
) {
  const { id } = attachment.post;
  const queueKey = await call.get(Database).transaction(async (trx) => {
    // Of two that ask for one format at the same time the second sees the first.
    const locked = await call.get(Attachments).lock(trx, call.site.blog_id, id);
    if (!locked || locked.post.status === 'trash') return fail('attachment_not_found');
    await also(trx, locked);
    return call.get(MediaQueue).enqueue(trx, {
      ...{ site: call.site, attachmentId: id, userId: callerOf(call).id, type, formats },
      concurrency: call.setting<number>('concurrency'),
    });
  });
  return enqueued(
    call,
    id,
    queueKey,
    formats.map(({ format }) => format),
  );
}

/** Nothing else changes. */
export const nothingElse = async (): Promise<void> => undefined;
