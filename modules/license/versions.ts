import type { Clock, Database, Secrets } from '@lyceum/core';
import type { License } from './license.ts';
import type { Place } from './places.ts';
import { type LicenseServer, ServerUnreachable } from './server/license-server.ts';
import { Patience } from './server/patience.ts';
import { readVersion } from './server/read-version.ts';
import { findVersion, putVersion, type StoredVersion, takeFetch } from './version-store.ts';

const ages = {
  fetchedMs: 12 * 3_600_000,
  /** An attempt that brought nothing is repeated after this. */
  askedMs: 60_000,
};

export interface VersionsParts {
  readonly db: Database;
  readonly server: LicenseServer;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Newest versions of products, as servers tell of them. */
export class Versions {
  readonly #parts: VersionsParts;

  constructor(parts: VersionsParts) {
    this.#parts = parts;
  }

  /** What is known, fetched before when it is 12 h old. Whatever the server does, it is no error. */
  async get(place: Place, license: License | null): Promise<StoredVersion | null> {
    const { db, clock } = this.#parts;
    if (place.settings.server_url === '') return null;
    const of = { network_id: place.keep.network_id, product_id: place.product.product_id };
    if (await takeFetch(db.knex, of, clock.now(), ages)) {
      const version = await this.#fetch(place, license);
      if (version) await putVersion(db.knex, of, version, clock.now());
    }
    return findVersion(db.knex, of);
  }

  async #fetch(place: Place, license: License | null) {
    const { server, secrets } = this.#parts;
    // A signed key is nobody's business but ours.
    const key = license?.kind === 'server' ? (secrets.open(license.sealed_key) ?? '') : '';
    try {
      const answer = await server.ask(place, 'get_version', { key, url: place.url }, new Patience());
      return readVersion(answer, key);
    } catch (error) {
      if (error instanceof ServerUnreachable) return null;
      throw error;
    }
  }
}
