import type { Clock, Database, Scope, SiteRef } from '@lyceum/core';
import type { License } from './license.ts';
import { findLicenses } from './license-store.ts';
import type { Places } from './places.ts';
import type { Product } from './product.ts';
import { recordOf } from './record.ts';
import { countSeats } from './seat-store.ts';
import type { LicenseSettings } from './settings.ts';
import { standingOf } from './standing.ts';

/** For whom licenses are read: a scope of a site. */
export interface Viewpoint {
  readonly scope: Scope;
  readonly site: SiteRef;
  /** Address of the site, or of the network's main site. */
  readonly url: string;
  readonly settings: LicenseSettings;
}

/** Of a product: the scope's own license, the one that holds there, and which scope that is from. */
export interface Holding {
  readonly own: License | null;
  readonly effective: License | null;
  readonly effectiveScope: Scope | null;
}

/** Reads licenses from the database alone: no request goes to a server for it. */
export class Shelf {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #places: Places;

  constructor(db: Database, clock: Clock, places: Places) {
    this.#db = db;
    this.#clock = clock;
    this.#places = places;
  }

  /** How each product stands at the viewpoint, or one of them. One statement. */
  async holdings(view: Viewpoint, productId: string | null): Promise<ReadonlyMap<string, Holding>> {
    const { scope, site } = view;
    const keep = this.#places.keepOf(scope, site);
    const found = await findLicenses(
      this.#db.knex,
      site.network_id,
      [...new Set([0, keep.blog_id])],
      productId,
    );
    const holdings = new Map<string, Holding>();
    for (const id of new Set(found.map(({ product_id }) => product_id))) {
      const of = (blogId: number): License | null =>
        found.find(({ product_id, blog_id }) => product_id === id && blog_id === blogId) ?? null;
      const own = of(keep.blog_id);
      const network = of(0);
      const effective = this.#holds(own, view) ? own : this.#holds(network, view) ? network : null;
      const effectiveScope = effective && (effective === own ? scope : 'network');
      holdings.set(id, { own, effective, effectiveScope });
    }
    return holdings;
  }

  #holds(license: License | null, { settings }: Viewpoint): boolean {
    return license !== null && standingOf(license, settings, this.#clock.now()).valid;
  }

  /**
   * Records of products. Where the network's license holds for a site it is the one that is shown.
   * @param only `own`: the scope's own license, whatever else holds there
   */
  async records(view: Viewpoint, products: readonly Product[], only: 'own' | 'effective') {
    const [first] = products;
    const holdings = await this.holdings(view, products.length === 1 && first ? first.product_id : null);
    const shown = products.map((product) => {
      const { own = null, effective = null, effectiveScope = null } = holdings.get(product.product_id) ?? {};
      const license = only === 'effective' ? (effective ?? own) : own;
      return { product, license, effectiveScope, hidden: license !== own };
    });
    const used = await countSeats(
      this.#db.knex,
      shown.flatMap(({ license }) => license ?? []),
    );
    const now = this.#clock.now();
    const { scope, url, settings } = view;
    return shown.map((parts) =>
      recordOf({
        ...parts,
        scope,
        url,
        settings,
        now,
        seatsUsed: parts.license ? (used.get(parts.license.license_id) ?? null) : null,
      }),
    );
  }

  /** The record of one product. */
  async record(view: Viewpoint, product: Product, only: 'own' | 'effective') {
    const [record] = await this.records(view, [product], only);
    if (!record) throw new Error('A product has no record.');
    return record;
  }
}
