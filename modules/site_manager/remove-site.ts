import { audit, fail, Jobs, RemovedSites, type SiteRecord } from '@lyceum/core';
import type { Knex } from 'knex';
import { purge } from './jobs/purge.ts';
import type { SiteWork } from './site-work.ts';

/** A removal as the API answers it. */
export interface RemovedAnswer {
  readonly deleted: true;
  readonly blog_id: number;
  readonly drop_tables: boolean;
  /** The purge; null where rows and files stay for a while. */
  readonly job_id: string | null;
}

function refuseMainSite(site: SiteRecord): void {
  if (site.is_main_site) fail('main_site_forbidden');
}

/** Enqueues the purge of a site that is removed for good; its id. */
export async function enqueuePurge(
  trx: Knex.Transaction,
  work: Pick<SiteWork, 'get' | 'main'> & { readonly userId: number | null },
  blogId: number,
): Promise<string> {
  const row = await work.get(Jobs).enqueue(trx, {
    type: purge.id,
    payload: { blog_id: blogId },
    site: work.main,
    userId: work.userId,
    startAfterSeconds: 0,
  });
  return row.job_id;
}

/**
 * Removes a site of the actor's network, with its audit row.
 * @param blogId null for what can be no id
 * @throws `site_not_found`, `site_not_in_network`, `main_site_forbidden`, `site_busy`
 */
export async function removeSite(
  trx: Knex.Transaction,
  work: SiteWork,
  blogId: number | null,
  dropTables: boolean,
): Promise<RemovedAnswer> {
  const { actor, get } = work;
  const site = await get(RemovedSites).remove(trx, {
    networkId: actor.site.network_id,
    blogId,
    check: refuseMainSite,
    keep: !dropTables,
  });
  const { blog_id, title, domain, path } = site;
  const userId = actor.user?.id ?? null;
  const job_id = dropTables ? await enqueuePurge(trx, { ...work, userId }, blog_id) : null;
  await audit(trx, actor, {
    module: 'site_manager',
    action: 'site.delete',
    subject: `site:${blog_id}`,
    blogId: blog_id,
    from: { title, domain, path },
    to: { drop_tables: dropTables, job_id },
  });
  return { deleted: true, blog_id, drop_tables: dropTables, job_id };
}
