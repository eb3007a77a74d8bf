import {
  Addresses,
  type Call,
  CapabilityTable,
  type CodedError,
  callerOf,
  Database,
  fail,
  isCoded,
  mayCreate,
  mayEditOthers,
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
  readonly site: {
    readonly blog_id: number;
    readonly network_id: number;
    readonly domain: string;
    readonly path: string;
  };
  /** Absolute URL, with a slash at its end. */
  readonly url: string;
  readonly state: SiteState;
  readonly rules: CopyRules;
  /** Whether the copy stays on the site of its source. */
  readonly isHome: boolean;
  /** The caller, as he writes on this site. */
  readonly uploader: Uploader;
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

function targetOf(call: Call, { role, ...site }: TargetRow, state: SiteState): Target {
  const capabilities = call.get(CapabilityTable);
  const { super_admin } = callerOf(call);
  const { user, ip, requestId, signal } = call;
  return {
    site,
    url: call.get(Addresses).site(site),
    state,
    rules: rulesOf(call, state),
    isHome: site.blog_id === call.site.blog_id,
    uploader: { site, user, ip, requestId, signal, state },
    can: (capability) => {
      if (
        (site.archived || site.deleted || site.spam) &&
        !capabilities.holds(role, super_admin, 'manage_network')
      ) {
        fail('site_unavailable');
      }
      return capabilities.holds(role, super_admin, capability);
    },
  };
}

/** Whether the caller may make this copy there; the type as the target knows it. */
export function checkTarget(call: Call, target: Target, typeId: string, wish: CopyWish): PostType {
  // Asked first: whoever may write nothing there learns nothing of its rules.
  if (!target.can('edit_posts') && !target.can('edit_pages')) fail('rest_forbidden');
  const type = call.get(PostTypes).usable(typeId, target.state);
  if (!type?.duplicable) return fail('post_type_not_duplicable');
  const rights = { user: call.user, can: target.can };
  if (!mayCreate(rights, type)) fail('rest_forbidden');
  const { postTypes, defaultStatus } = target.rules;
  if (postTypes && !postTypes.includes(typeId)) fail('post_type_not_duplicable');
  const status = wish.status ?? defaultStatus;
  if ((status === 'publish' || status === 'private') && !mayPublish(rights, type)) fail('rest_forbidden');
  return type;
}

/** Whether the caller may write in the name of others there. */
export const mayKeepAuthor = (call: Call, target: Target, type: PostType): boolean =>
  mayEditOthers({ user: call.user, can: target.can }, type);

/** The coded error of a check, or null when it passes. */
export function refusalOf(check: () => void): CodedError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (isCoded(error)) return error;
    throw error;
  }
}
