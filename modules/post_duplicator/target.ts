import {
  type Call,
  CapabilityTable,
  callerOf,
  Database,
  fail,
  mayCreate,
  mayPublish,
  type PostType,
  PostTypes,
  type SiteState,
  State,
  type Uploader,
} from '@lyceum/core';
import type { CopyWish } from './copy-wish.ts';
import { DuplicateStore, type TargetRow } from './duplicate-store.ts';
import { type CopyRules, rulesOf } from './rules.ts';

/** A site that copies go to, and what the caller may do there. */
export interface Target {
  readonly site: Pick<TargetRow, 'blog_id' | 'network_id' | 'domain' | 'path'>;
  readonly state: SiteState;
  readonly rules: CopyRules;
  /** Whether the copy stays on the site of its source. */
  readonly isHome: boolean;
  /** False for the caller of a site that is archived, deleted or spam. */
  readonly isOpen: boolean;
  /** The caller, as he writes on this site. */
  readonly uploader: Uploader;
  /** Whose rights are asked on this site. */
  readonly user: { readonly id: number };
  can(capability: string): boolean;
}

/** The wanted sites of the caller's network, by id; those that are none are absent. */
export async function findTargets(
  call: Call,
  blogIds: readonly number[],
): Promise<ReadonlyMap<number, Target>> {
  const sql = call.get(Database).knex;
  const rows = await call.get(DuplicateStore).targets(sql, call.site.network_id, callerOf(call).id, blogIds);
  const targets = new Map<number, Target>();
  for (const row of rows) {
    const state = await call.get(State).read(row.blog_id);
    if (state) targets.set(row.blog_id, targetOf(call, row, state));
  }
  return targets;
}

function targetOf(
  call: Call,
  { role, archived, deleted, spam, ...site }: TargetRow,
  state: SiteState,
): Target {
  const user = callerOf(call);
  const { ip, requestId, signal } = call;
  const can = (capability: string): boolean =>
    call.get(CapabilityTable).holds(role, user.super_admin, capability);
  return {
    site,
    state,
    rules: rulesOf(call, state),
    isHome: site.blog_id === call.site.blog_id,
    isOpen: !(archived || deleted || spam) || can('manage_network'),
    uploader: { site, user, ip, requestId, signal, state },
    user,
    can,
  };
}

/**
 * The type of the copies as the target knows it, if the caller may make them there.
 * @throws `site_unavailable`, `rest_forbidden`, `post_type_not_duplicable`
 */
export function checkTarget(call: Call, target: Target, typeId: string, wish: CopyWish): PostType {
  if (!target.isOpen) fail('site_unavailable');
  // Asked first: whoever may write nothing there learns nothing of its rules.
  if (!target.can('edit_posts') && !target.can('edit_pages')) fail('rest_forbidden');
  const type = call.get(PostTypes).usable(typeId, target.state);
  if (!type?.duplicable) return fail('post_type_not_duplicable');
  if (!mayCreate(target, type)) fail('rest_forbidden');
  const { postTypes, defaultStatus } = target.rules;
  if (postTypes && !postTypes.includes(typeId)) fail('post_type_not_duplicable');
  const status = wish.status ?? defaultStatus;
  if ((status === 'publish' || status === 'private') && !mayPublish(target, type)) fail('rest_forbidden');
  return type;
}
