import type { Knex } from 'knex';
import { fail } from '../../api/errors.ts';
import type { PageQuery } from '../../api/schema.ts';
import type { ModuleHooks } from '../../boot/module-hooks.ts';
import { openCopyOf } from '../../copy/reserve-store.ts';
import type { Database } from '../../db/database.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { lockOpenJobs } from '../../jobs/site-job-store.ts';
import {
  type FormerPlace,
  giveUpKept,
  halfPurged,
  listKept,
  lockKept,
  markReady,
  markRemoved,
  networksWithRemains,
  type RemovedSite,
} from './removed-site-store.ts';
import type { SiteAddresses } from './site-addresses.ts';
import type { SiteRecord } from './site-record.ts';
import { findNetworkPlace, lockSite, readSite } from './site-store.ts';
import { ofNetwork, orTaken } from './sites.ts';

export interface RemovedSitesParts {
  readonly db: Database;
  readonly places: SiteAddresses;
  readonly hooks: ModuleHooks;
  /** Asked for at each removal: the queue opens after the services. */
  readonly jobs: () => Jobs;
}

/** Which site is to go, and how. */
export interface Removal {
  readonly networkId: number;
  /** null for what can be no id. */
  readonly blogId: number | null;
  /** Throws when this site may not be removed. */
  readonly check: (site: SiteRecord) => void;
  /** Its rows and files wait for its return. */
  readonly keep: boolean;
}

/** Which removed site is to come back. */
export interface Return {
  readonly networkId: number;
  readonly blogId: number | null;
  /** As somebody typed it; undefined for the one that it had. */
  readonly slug: string | undefined;
  /** Slugs that the network keeps free. */
  readonly reserved: readonly string[];
}

/** How sites go, and come back. What is left of one that is gone for good is for a purge. */
export class RemovedSites {
  readonly #parts: RemovedSitesParts;

  constructor(parts: RemovedSitesParts) {
    this.#parts = parts;
  }

  /**
   * From the end of the transaction on the site is nowhere, its address is free and its jobs end.
   * @throws `site_not_found`, `site_not_in_network`; `site_busy` with `data.job_id` while it is copied
   */
  async remove(trx: Knex.Transaction, { networkId, blogId, check, keep }: Removal): Promise<SiteRecord> {
    const { db, hooks, jobs } = this.#parts;
    const seen = ofNetwork(networkId, blogId === null ? null : await readSite(db, trx, blogId));
    check(seen);
    // Jobs before the site: the order of locks of a job that writes to its site.
    await lockOpenJobs(trx, seen.blog_id);
    const site = ofNetwork(networkId, await lockSite(db, trx, seen.blog_id));
    check(site);
    const copy = await openCopyOf(trx, site.blog_id);
    if (copy !== null) fail('site_busy', { data: { job_id: copy } });
    await jobs().cancelOfSite(trx, site.blog_id);
    await hooks.site(trx, 'onSiteRemoved', { blog_id: site.blog_id, network_id: networkId });
    await markRemoved(trx, site.blog_id, keep ? 'kept' : 'purging');
    return site;
  }

  /**
   * The site is there as it was, under another slug if one is given.
   * @returns the site, and where it was
   * @throws `site_not_found`, `site_not_in_network`, `site_slug_invalid`, `site_exists`
   */
  async restore(
    trx: Knex.Transaction,
    { networkId, blogId, slug, reserved }: Return,
  ): Promise<{ readonly site: SiteRecord; readonly before: FormerPlace }> {
    const { db, places } = this.#parts;
    const before = blogId === null ? null : await lockKept(trx, blogId);
    if (blogId === null || !before) return fail('site_not_found');
    if (before.network_id !== networkId) return fail('site_not_in_network');
    const moves = slug !== undefined && slug !== before.slug;
    const place = moves ? places.place(await findNetworkPlace(trx, networkId), slug, reserved) : null;
    await markReady(trx, blogId, place).catch(orTaken);
    return { site: ofNetwork(networkId, await readSite(db, trx, blogId)), before };
  }

  /** One page of those that may come back, first removed first. */
  list(
    networkId: number,
    page: PageQuery,
  ): Promise<{ readonly sites: RemovedSite[]; readonly total: number }> {
    return listKept(this.#parts.db.knex, networkId, page);
  }

  /** Networks with removed sites of which something is left, and their main sites. */
  networks(): Promise<readonly { readonly network_id: number; readonly root_blog_id: number }[]> {
    return networksWithRemains(this.#parts.db.knex);
  }

  /** Up to so many sites that were removed before that time: from now on none of them can come back. */
  giveUp(
    trx: Knex.Transaction,
    networkId: number,
    removedBefore: Date,
    limit: number,
  ): Promise<readonly number[]> {
    return giveUpKept(trx, networkId, removedBefore, limit);
  }

  /** Up to so many sites that are removed for good, not purged, and about which there is no job of this type. */
  halfPurged(
    trx: Knex.Transaction,
    networkId: number,
    jobType: string,
    limit: number,
  ): Promise<readonly number[]> {
    return halfPurged(trx, networkId, jobType, limit);
  }
}
