import { type Call, Posts } from '@lyceum/core';
import type { Knex } from 'knex';
import type { PageResult } from '../plan/page-result.ts';
import { missingResult } from '../plan/plan-sync.ts';
import { type NotedPage, PageStore } from '../stores/page-store.ts';
import type { Turn } from './turn.ts';

/** The post goes to the trash, and the page is forgotten; decided again under the lock of the post. */
export async function removePage(
  trx: Knex.Transaction,
  call: Call,
  { project }: Turn,
  noted: NotedPage,
  overwrite: boolean,
): Promise<PageResult> {
  const posts = call.get(Posts);
  const post = await posts.lock(trx, call.site.blog_id, noted.post_id);
  const live = post?.status === 'trash' ? null : post;
  const result = missingResult({ ...noted, current_hash: live?.hash ?? null }, overwrite);
  if (result.action === 'conflict') return result;
  if (live) await posts.trash(trx, call, live);
  await call.get(PageStore).forget(trx, project.project_id, noted.key);
  return result;
}
