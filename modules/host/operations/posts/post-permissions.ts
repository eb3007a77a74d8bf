import {
  type Call,
  fail,
  invalidParams,
  mayEditOthers,
  mayPublish,
  type Post,
  type PostFields,
  type PostType,
  Taxonomies,
  Users,
} from '@lyceum/core';
import type { Knex } from 'knex';

const guarded: readonly unknown[] = ['publish', 'private', 'future'];

/**
 * What a write of these fields needs beyond the right to edit the record.
 * @throws `rest_forbidden`; `rest_invalid_param` naming `created_at`, `author_id` or `terms.<taxonomy>`
 */
export async function checkPermissions(
  sql: Knex,
  call: Call,
  type: PostType,
  before: Post | null,
  fields: PostFields,
): Promise<void> {
  const { status, author_id, created_at } = fields;
  const publishes = status !== undefined && status !== before?.status && guarded.includes(status);
  if (publishes && !mayPublish(call, type)) fail('rest_forbidden');
  if (author_id !== undefined && author_id !== (before?.author_id ?? call.user?.id)) {
    if (!mayEditOthers(call, type)) fail('rest_forbidden');
    if (author_id !== call.user?.id) await checkAuthor(sql, call, author_id);
  }
  checkPlan(call, before, status, created_at);
  for (const taxonomy of Object.keys(fields.terms ?? {})) {
    if (call.get(Taxonomies).usable(taxonomy, 'site', call.state)) continue;
    invalidParams({ [`terms.${taxonomy.slice(0, 100)}`]: 'is not a taxonomy of the site' });
  }
}

async function checkAuthor(sql: Knex, call: Call, authorId: number): Promise<void> {
  const author = await call.get(Users).find(sql, call.site, authorId);
  if (author?.role || author?.super_admin) return;
  invalidParams({ author_id: 'must be a user with a role on the site' });
}

/** A planned record comes out at `created_at`, so that must lie ahead when either is set. */
function checkPlan(
  call: Call,
  before: Post | null,
  status: PostFields['status'],
  createdAt: string | undefined,
): void {
  const planned = (status ?? before?.status) === 'future';
  const touched = createdAt !== undefined || (status !== undefined && status !== before?.status);
  if (!planned || !touched) return;
  const at = createdAt ?? before?.created_at;
  if (at === undefined || Date.parse(at) <= call.now().getTime()) {
    invalidParams({ created_at: 'must lie ahead for the status future' });
  }
}
