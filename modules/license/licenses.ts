import type { Clock, Scope, SiteRef, State } from '@lyceum/core';
import type { Places } from './places.ts';
import type { Shelf } from './shelf.ts';
import { type Status, standingOf } from './standing.ts';

/** How the license of a product stands on a site. It is there to be shown: nothing has to refuse because of it. */
export interface LicenseState {
  readonly product_id: string;
  readonly status: Status;
  readonly valid: boolean;
  /** Whose license holds: the site's, else the network's; null when none does. */
  readonly effective_scope: Scope | null;
  /** RFC 3339. */
  readonly expires: string | null;
  readonly grace_until: string | null;
}

/** Licenses, for other modules. Never asks a server: two or three short statements. */
export class Licenses {
  readonly #state: State;
  readonly #places: Places;
  readonly #shelf: Shelf;
  readonly #clock: Clock;

  constructor(state: State, places: Places, shelf: Shelf, clock: Clock) {
    this.#state = state;
    this.#places = places;
    this.#shelf = shelf;
    this.#clock = clock;
  }

  /** The license that counts on the site: its own while that holds, else the network's, else whichever is there. */
  async state(productId: string, site: SiteRef): Promise<LicenseState> {
    const read = await this.#state.read(site.blog_id);
    const none = {
      product_id: productId,
      status: 'inactive',
      valid: false,
      effective_scope: null,
      expires: null,
      grace_until: null,
    } as const;
    if (!read) return none;
    const settings = this.#places.settings(read);
    const view = { scope: 'site', site, url: '', settings } as const;
    const holding = (await this.#shelf.holdings(view, productId)).get(productId);
    const license = holding?.effective ?? holding?.own;
    if (!holding || !license) return none;
    const { status, valid, grace_until } = standingOf(license, settings, this.#clock.now());
    return {
      product_id: productId,
      status,
      valid,
      effective_scope: holding.effectiveScope,
      expires: license.expires_at,
      grace_until,
    };
  }
}
