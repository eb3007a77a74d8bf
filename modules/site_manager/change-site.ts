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
import { refuseForMainSite } from './main-site.ts';

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
 * Changes a site of the call's network in one transaction with its audit row; what is so already leaves no trace.
 * @param blogId as it stands in the path
 * @throws `site_not_found`, `site_not_in_network`, `main_site_forbidden`, `main_site_slug_forbidden`,
 * `term_not_found`, `site_slug_invalid`, `site_exists`
 */
export function changeSite(
  call: Call,
  blogId: string,
  action: string,
  change: SiteChange,
): Promise<SiteRecord> {
  const { network_id: networkId } = call.site;
  const site = {
    networkId,
    blogId: readId(blogId),
    check: (before: SiteRecord) => refuseForMainSite(before, change),
    reserved: call.setting<string[]>('reserved_slugs'),
  };
  return call.get(Database).transaction(async (trx) => {
    // Title and description are settings too: announced first, in the order of locks of whoever writes settings.
    if (change.title !== undefined || change.description !== undefined) await bumpRevision(trx);
    const { before, after } = await call.get(Sites).change(trx, site, change);
    if (after === before) return before;
    const subject = `site:${after.blog_id}`;
    const entry = { module: 'site_manager', action, subject, blogId: after.blog_id };
    await audit(trx, call, { ...entry, ...differences(before, after, change) });
    return after;
  });
}
