import { type Actor, audit, type Clock, type Database, fail, type Secrets } from '@lyceum/core';
import { type License, subjectOf } from './license.ts';
import { findLicense, removeLicense } from './license-store.ts';
import type { Place } from './places.ts';
import { giveSeatsBack } from './seat-store.ts';
import { type LicenseServer, ServerUnreachable } from './server/license-server.ts';
import { Patience } from './server/patience.ts';
import { standingOf } from './standing.ts';

export interface ReleaseParts {
  readonly db: Database;
  readonly server: LicenseServer;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Gives the seat of a license back and forgets its key. */
export class Release {
  readonly #parts: ReleaseParts;

  constructor(parts: ReleaseParts) {
    this.#parts = parts;
  }

  /**
   * Removes the license of the place; without one there is nothing to do. Whoever calls has the turn.
   * @param force removed here whatever becomes of the seat at the server
   * @throws `license_server_unreachable`, `license_server_not_configured`, and the license is kept
   */
  async run(actor: Actor, place: Place, force: boolean): Promise<void> {
    const { db } = this.#parts;
    const license = await findLicense(db.knex, place.keep, place.product.product_id);
    if (!license) return;
    const problem = await this.atServer(place, license, new Patience());
    if (problem && !force) fail(problem.code, { message: problem.message, cause: problem });
    await this.#remove(actor, place, license);
  }

  /**
   * Tells the server that the seat of this license is free. Whatever it answers, it was told.
   * @returns why it could not be told; null when it was, or when there is nobody to tell
   */
  async atServer(place: Place, license: License, patience: Patience): Promise<ServerUnreachable | null> {
    const { server, secrets } = this.#parts;
    const key = license.kind === 'server' ? secrets.open(license.sealed_key) : null;
    if (key === null) return null;
    try {
      await server.ask(place, 'deactivate_license', { key, url: license.url }, patience);
      return null;
    } catch (error) {
      if (error instanceof ServerUnreachable) return error;
      throw error;
    }
  }

  async #remove(actor: Actor, place: Place, license: License): Promise<void> {
    const { db, clock } = this.#parts;
    const { keep, product, settings } = place;
    await db.transaction(async (trx) => {
      if (!(await removeLicense(trx, license))) return;
      await giveSeatsBack(trx, product.product_id, keep, null);
      await audit(trx, actor, {
        module: 'license',
        action: 'license.deactivate',
        subject: subjectOf(product.product_id),
        scope: place.scope,
        networkId: keep.network_id,
        blogId: keep.blog_id === 0 ? null : keep.blog_id,
        from: { license_key: license.key_hint, status: standingOf(license, settings, clock.now()).status },
        to: { license_key: null, status: 'inactive' },
      });
    });
  }
}
