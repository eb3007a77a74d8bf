import type { Addresses } from '../../http/addresses.ts';

/** A site category or status as it stands in a Site. */
export interface TermLabel {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
}

/** A site that exists, with the labels of its terms. Flags are 0 or 1, times RFC 3339. */
export interface SiteRecord {
  readonly blog_id: number;
  readonly network_id: number;
  readonly domain: string;
  readonly path: string;
  /** Empty for the main site. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly status_id: number | null;
  readonly status: TermLabel | null;
  /** By id. */
  readonly categories: readonly TermLabel[];
  readonly registered: string;
  readonly last_updated: string;
  readonly public: number;
  readonly archived: number;
  readonly deleted: number;
  readonly spam: number;
  readonly mature: number;
  readonly is_template: boolean;
  readonly is_main_site: boolean;
}

/** What the contract's Site has besides: addresses, and ids for lists of labels. */
export interface ShownSite extends SiteRecord {
  readonly category_ids: readonly number[];
  readonly site_url: string;
  readonly admin_url: string;
  readonly user_count?: number;
}

/** A site as clients see it; `userCount` only where they asked for it. */
export function showSite(site: SiteRecord, addresses: Addresses, userCount?: number): ShownSite {
  return {
    ...site,
    category_ids: site.categories.map((category) => category.id),
    site_url: addresses.site(site),
    admin_url: addresses.admin(site),
    ...(userCount === undefined ? {} : { user_count: userCount }),
  };
}
