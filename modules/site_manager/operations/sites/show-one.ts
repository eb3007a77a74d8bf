import { type Call, type ShownSite, type SiteRecord, Sites } from '@lyceum/core';

/** One site as clients see it. */
export async function showOne(call: Call, site: SiteRecord, stats: boolean): Promise<ShownSite> {
  const [shown] = await call.get(Sites).show([site], stats);
  return shown as ShownSite;
}
