import {
  audit,
  bumpRevision,
  type Call,
  Database,
  readId,
  type SiteChange,
  type SiteRecord,
  Sites,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { enqueueRewrite } from './jobs/rewrite-urls.ts';
import { refuseForMainSite } from './main-site.ts';
import { type SiteWork, workOf } from './site-work.ts';

/** What an audit row says of a site: the given fields. */
function fieldsOf(site: SiteRecord, change: SiteChange): Record<string, unknown> {
  const all: Record<string, unknown> = { ...site, category_ids: site.categories.map(({ id }) => id) };
  return Object.fromEntries(Object.keys(change).map((name) => [name, all[name]]));
}

/** Only the fields in which both differ. */
function differences(before: SiteRecord, after: SiteRecord, change: SiteChange) {
  const [from, to] = [fieldsOf(before, change), fieldsOf(after, change)];
  const same = Object.keys(to).filter((name) => JSON.stringify(from[name]) === JSON.stringify(to[name]));
  for (const name of same) {
    delete from[name];
    delete to[name];
  }
  return { from, to };
}

/**
 * Changes a site of the actor's network, with its audit row; what is so already leaves no trace.
 * @param blogId null for what can be no id
 * @throws `site_not_found`, `site_not_in_network`, `main_site_forbidden`, `main_site_slug_forbidden`,
 * `term_not_found`, `site_slug_invalid`, `site_exists`
 */
export async function changeWithin(
  trx: Knex.Transaction,
  work: SiteWork,
  blogId: number | null,
  action: string,
  change: SiteChange,
): Promise<SiteRecord> {
  const { actor, get, reserved } = work;
  // Title and description are settings too: announced first, in the order of locks of whoever writes settings.
  if (change.title !== undefined || change.description !== undefined) await bumpRevision(trx);
  const check = (site: SiteRecord): void => refuseForMainSite(site, change);
  const { network_id: networkId } = actor.site;
  const { before, after } = await get(Sites).change(trx, { networkId, blogId, check, reserved }, change);
  if (after === before) return before;
  const subject = `site:${after.blog_id}`;
  const entry = { module: 'site_manager', action, subject, blogId: after.blog_id };
  await audit(trx, actor, { ...entry, ...differences(before, after, change) });
  await enqueueRewrite(trx, work, before, after);
  return after;
}

/** The same in a transaction of its own. @param blogId as it stands in the path */
export async function changeSite(
  call: Call,
  blogId: string,
  action: string,
  change: SiteChange,
): Promise<SiteRecord> {
  const work = await workOf(call);
  return call.get(Database).transaction((trx) => changeWithin(trx, work, readId(blogId), action, change));
}
