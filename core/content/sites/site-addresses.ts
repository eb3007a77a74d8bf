import { fail } from '../../api/errors.ts';
import type { Database } from '../../db/database.ts';
import type { Address, Addresses } from '../../http/addresses.ts';
import { firstFree } from '../slug-numbers.ts';
import { maxDomain, maxLabel, siteAddress } from './site-address.ts';
import { numberedSiteSlug, type ReservedSlugs, readSiteSlug, type SlugFault } from './site-slug.ts';
import { type NetworkPlace, type TakenExcept, takenAddresses } from './site-store.ts';

export interface Place extends Address {
  readonly slug: string;
}

/** What is known of a slug that somebody would like to have. */
export interface SlugAnswer extends Place {
  readonly reason: SlugFault | 'taken' | null;
  /** The next slug that is free; null where the wanted one is, or where no number helps. */
  readonly suggestion: string | null;
}

/** A letter and a number of some digits. */
const shortestNumbered = 10;

/** Which slugs a site may have, and where it then lies. */
export class SiteAddresses {
  readonly #db: Database;
  readonly #addresses: Addresses;
  readonly #reserved: ReservedSlugs;

  constructor(db: Database, addresses: Addresses, reserved: ReservedSlugs) {
    this.#db = db;
    this.#addresses = addresses;
    this.#reserved = reserved;
  }

  /** Whether no site may take this slug. @param further words that a network keeps free besides */
  isReserved(slug: string, further: readonly string[]): boolean {
    return this.#reserved.includes(slug, further);
  }

  /** A slug is a label of a host name; where sites are sub-domains the whole name has a limit too. */
  #longest(network: Address): number {
    if (this.#addresses.multisite !== 'subdomain') return maxLabel;
    return Math.min(maxLabel, maxDomain - network.domain.length - 1);
  }

  #place(network: Address, slug: string): Place {
    return { slug, ...siteAddress(this.#addresses.multisite, network, slug) };
  }

  /** @throws `site_slug_invalid` with `data.reason` */
  place(network: Address, text: string, further: readonly string[]): Place {
    const { slug, fault } = readSiteSlug(text, this.#longest(network), this.#reserved, further);
    return fault === null
      ? this.#place(network, slug)
      : fail('site_slug_invalid', { data: { reason: fault } });
  }

  /**
   * What becomes of the text as a slug. Reserves nothing.
   * @param blogId a site of the network that asks: its own slug is free to it
   */
  async answer(
    network: NetworkPlace,
    text: string,
    further: readonly string[],
    blogId: number | null,
  ): Promise<SlugAnswer> {
    const except = blogId === null ? null : { networkId: network.network_id, blogId };
    const longest = this.#longest(network);
    const { slug, fault } = readSiteSlug(text, longest, this.#reserved, further);
    const place = this.#place(network, slug);
    if (fault === 'empty' || fault === 'too_long') return { ...place, reason: fault, suggestion: null };
    const taken = await takenAddresses(this.#db, [place], except);
    if (fault === null && taken.size === 0) return { ...place, reason: null, suggestion: null };
    if (longest < shortestNumbered) return { ...place, reason: fault ?? 'taken', suggestion: null };
    const suggestion = await firstFree(
      (number) => numberedSiteSlug(slug, number + 1, longest),
      (slugs) => this.#unusable(network, slugs, further, except),
    );
    return { ...place, reason: fault ?? 'taken', suggestion };
  }

  async #unusable(
    network: Address,
    slugs: readonly string[],
    further: readonly string[],
    except: TakenExcept | null,
  ): Promise<ReadonlySet<string>> {
    const places = slugs.map((slug) => this.#place(network, slug));
    const taken = await takenAddresses(this.#db, places, except);
    const fits = (slug: string): boolean =>
      readSiteSlug(slug, this.#longest(network), this.#reserved, further).fault === null;
    return new Set(slugs.filter((slug, at) => taken.has(at) || !fits(slug)));
  }
}
