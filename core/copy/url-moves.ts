import type { Knex } from 'knex';
import { type Address, domainsOf } from '../http/addresses.ts';
import { type SiteMove, UrlRewriter } from './rewrite-urls.ts';
import { SiteOwners } from './site-owners-store.ts';

/** Where a site's URLs go. */
export interface MoveTarget {
  readonly to: SiteMove['to'];
  /** See `SiteMove`. */
  readonly file: SiteMove['file'];
  readonly pages: boolean;
}

/**
 * Rewrites the URLs of a site in many texts: first `collect` each of them, then `read`, then `rewrite` each. So one
 * look at the database is enough for a batch. `replaced` counts.
 */
export class UrlMoves {
  readonly #moves: readonly { readonly rewriter: UrlRewriter; readonly owners: SiteOwners }[];
  replaced = 0;

  /** @param from addresses of the site; of a text each URL moves from the first one that it is below */
  constructor(from: readonly Address[], { to, file, pages }: MoveTarget) {
    this.#moves = from.map(({ domain, path }) => {
      const move = { domains: domainsOf(domain) ?? [domain], path, to, pages, pathsAlone: true, file };
      return { rewriter: new UrlRewriter(move), owners: new SiteOwners({ domain, path }, to) };
    });
  }

  /** Notes the URLs of a text, which it returns as it is. */
  collect(text: string): string {
    for (const { rewriter, owners } of this.#moves) rewriter.rewrite(text, owners.collect);
    return text;
  }

  async read(sql: Knex): Promise<void> {
    for (const { owners } of this.#moves) await owners.read(sql);
  }

  /** The very same text when nothing in it moves. */
  rewrite(text: string): string {
    let now = text;
    for (const { rewriter, owners } of this.#moves) {
      const { text: moved, replaced } = rewriter.rewrite(now, owners.answer);
      this.replaced += replaced;
      now = moved;
    }
    return now;
  }
}
