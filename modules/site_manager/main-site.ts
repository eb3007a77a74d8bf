import { fail, type SiteChange, type SiteRecord } from '@lyceum/core';

/** Flags, and the value that would take the main site away from its network. */
const forbidden = { public: 0, archived: 1, deleted: 1, spam: 1 } as const;

/**
 * The main site keeps its address and stays reachable.
 * @throws `main_site_slug_forbidden`, `main_site_forbidden`
 */
export function refuseForMainSite(site: SiteRecord, change: SiteChange): void {
  if (!site.is_main_site) return;
  if (change.slug !== undefined && change.slug !== site.slug) fail('main_site_slug_forbidden');
  for (const [name, value] of Object.entries(forbidden)) {
    if (change[name as keyof typeof forbidden] === value) fail('main_site_forbidden');
  }
}
