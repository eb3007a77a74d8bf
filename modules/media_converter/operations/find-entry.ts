import { type Call, callerOf, Database, fail, yup } from '@lyceum/core';
import type { Knex } from 'knex';
import type { QueueEntry } from '../queue/entry.ts';
import { MediaQueue } from '../queue/media-queue.ts';

export const entryErrors = ['queue_not_found', 'forbidden'] as const;

/** A key in a path; whatever it is, it may be none of an entry. */
export const keyText = () =>
  yup
    .string()
    .required()
    .meta({ jsonSchema: { type: 'string', format: 'uuid' } });

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An entry of the site that the caller may see and change. @throws `entryErrors` */
export async function findEntry(call: Call, key: string, sql?: Knex): Promise<QueueEntry> {
  if (!uuid.test(key)) return fail('queue_not_found');
  const { store } = call.get(MediaQueue);
  const entry = await store.findEntry(sql ?? call.get(Database).knex, call.site.blog_id, key.toLowerCase());
  if (!entry) return fail('queue_not_found');
  if (entry.user_id !== callerOf(call).id && !call.can('edit_others_posts')) fail('forbidden');
  return entry;
}
