import {
  type Addresses,
  isCoded,
  type Scope,
  type SettingsService,
  type SiteRef,
  type SiteState,
  type Sites,
  type State,
} from '@lyceum/core';
import { type Product, productsOf } from './product.ts';
import type { LicenseSettings } from './settings.ts';

/** Where a license is kept: a network's has the `blog_id` 0. */
export interface LicenseKeep {
  readonly network_id: number;
  readonly blog_id: number;
}

/** A site that licenses speak for, or the main site of a network, with what holds there. */
export interface Ground {
  readonly keep: LicenseKeep;
  readonly scope: Scope;
  readonly site: SiteRef;
  /** What license servers know the place by. */
  readonly url: string;
  readonly state: SiteState;
  readonly settings: LicenseSettings;
}

/** Where the license of one product is, or is to be. */
export interface Place extends Ground {
  readonly product: Product;
}

export interface PlacesParts {
  readonly sites: Sites;
  readonly state: State;
  readonly settings: SettingsService;
  readonly addresses: Addresses;
}

const moduleId = 'license';

/** Finds what is needed to act on the license of a place, whoever asks: a client, a job, another module. */
export class Places {
  readonly #parts: PlacesParts;

  constructor(parts: PlacesParts) {
    this.#parts = parts;
  }

  /** Products by id. Modules are read once per process, so this is cheap enough to be asked each time. */
  get products(): ReadonlyMap<string, Product> {
    return productsOf(this.#parts.state.modules);
  }

  /** Whether there is one site, and hence one license of each product. */
  get single(): boolean {
    return this.#parts.state.single;
  }

  /** Where the licenses of a scope are kept; on an installation of one site both scopes are one. */
  keepOf(scope: Scope, { network_id, blog_id }: SiteRef): LicenseKeep {
    return { network_id, blog_id: scope === 'network' || this.single ? 0 : blog_id };
  }

  /** The ground of a keep; null when its site is gone. */
  async ground(keep: LicenseKeep): Promise<Ground | null> {
    const { sites, state, addresses } = this.#parts;
    const { network_id } = keep;
    const blog_id = keep.blog_id === 0 ? (await sites.networkPlace(network_id)).root_blog_id : keep.blog_id;
    const site = await sites.get(network_id, blog_id).catch((error: unknown) => {
      if (isCoded(error, 'site_not_found')) return null;
      throw error;
    });
    const read = site && (await state.read(blog_id));
    if (!site || !read) return null;
    return {
      keep,
      scope: keep.blog_id === 0 ? 'network' : 'site',
      site: { blog_id, network_id },
      url: addresses.site(site),
      state: read,
      settings: this.settings(read),
    };
  }

  /** The module's settings as they hold in a state. */
  settings(state: SiteState): LicenseSettings {
    const spec = this.#parts.state.modules.get(moduleId)?.spec;
    if (!spec) throw new Error('The module "license" is not installed.');
    const value = <T>(name: string): T => this.#parts.settings.value(spec, name, state) as T;
    return {
      server_url: value('server_url'),
      public_keys: value('public_keys'),
      check_interval_hours: value('check_interval_hours'),
      grace_days: value('grace_days'),
    };
  }
}
