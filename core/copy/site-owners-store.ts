import type { Knex } from 'knex';
import { type Address, domainsOf } from '../http/addresses.ts';
import type { Owns } from './rewrite-urls.ts';

const keyOf = (domain: string, path: string): string => `${domain} ${path}`;

/**
 * Decides which URLs belong to a site that moves, as requests are given to sites: the literal domain before other
 * names of the machine, then the longest path. Used twice with the same texts: once to collect the addresses that
 * matter, once to answer.
 */
export class SiteOwners {
  readonly #moved: Address;
  readonly #asked = new Map<string, Address>();
  readonly #there = new Set<string>();

  /**
   * @param moved where the site was; it counts as being there, whatever lies there now
   * @param to where it is; never taken for a part of what moves
   */
  constructor(moved: Address, to: Address) {
    this.#moved = moved;
    this.#there.add(keyOf(to.domain, to.path));
  }

  /** Notes the question, and answers no. */
  readonly collect: Owns = (domain, sitePaths) => {
    for (const name of domainsOf(domain) ?? [domain]) {
      // Above the moved site another one matters only under another name of the machine.
      const paths =
        name === this.#moved.domain
          ? sitePaths.filter((path) => path.length > this.#moved.path.length)
          : sitePaths;
      for (const path of paths) this.#asked.set(keyOf(name, path), { domain: name, path });
    }
    return false;
  };

  readonly answer: Owns = (domain, sitePaths) => {
    const [literal = domain, ...others] = domainsOf(domain) ?? [domain];
    const paths = sitePaths.toReversed();
    const atLiteral = paths.find((path) => this.#isSite(literal, path));
    if (atLiteral !== undefined) return this.#isMoved(literal, atLiteral);
    for (const path of paths) {
      const name = others.find((other) => this.#isSite(other, path));
      if (name !== undefined) return this.#isMoved(name, path);
    }
    return false;
  };

  #isMoved(domain: string, path: string): boolean {
    return domain === this.#moved.domain && path === this.#moved.path;
  }

  #isSite(domain: string, path: string): boolean {
    return this.#isMoved(domain, path) || this.#there.has(keyOf(domain, path));
  }

  /** Reads at which of the addresses sites lie; one that is being made counts. */
  async read(sql: Knex): Promise<void> {
    if (this.#asked.size === 0) return;
    const asked = [...this.#asked.values()];
    const { rows } = (await sql.raw(
      `select a.domain, a.path from unnest(?::text[], ?::text[]) as a (domain, path)
       where exists (select 1 from sites s where s.domain = a.domain and s.path = a.path and s.state <> 'removed')`,
      [asked.map(({ domain }) => domain), asked.map(({ path }) => path)],
    )) as { rows: Address[] };
    for (const { domain, path } of rows) this.#there.add(keyOf(domain, path));
  }
}
