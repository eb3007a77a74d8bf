import { createHash, randomUUID } from 'node:crypto';
import { type Actor, audit, type Clock, type Database, fail, type Secrets } from '@lyceum/core';
import type { Knex } from 'knex';
import { hintOf, type License, subjectOf } from './license.ts';
import { findLicense, holdSite, type NewLicense, putLicense } from './license-store.ts';
import { judgeOfflineKey } from './offline/judge-offline-key.ts';
import { offlineFacts } from './offline/offline-facts.ts';
import { isOffline } from './offline/offline-key.ts';
import type { Place } from './places.ts';
import { isOfAnother, type Product } from './product.ts';
import type { Release } from './release.ts';
import { giveSeatsBack, takeSeat } from './seat-store.ts';
import {
  type LicenseServer,
  type RawAnswer,
  ServerUnreachable,
  saidNothing,
} from './server/license-server.ts';
import { Patience } from './server/patience.ts';
import { factsOf, grants, type RefusalReason, refusalOf } from './server/read-answer.ts';
import { standingOf } from './standing.ts';
import { holdTurn } from './turn-store.ts';

export interface ActivationParts {
  readonly db: Database;
  readonly server: LicenseServer;
  readonly secrets: Secrets;
  readonly release: Release;
  readonly clock: Clock;
  /** Every product, to know an answer about another one. */
  readonly products: () => ReadonlyMap<string, Product>;
}

/** What the key turned out to be, before it is stored. */
type Accepted = Pick<NewLicense, 'kind' | 'seat_hash'> & { readonly facts: ReturnType<typeof factsOf> };

/** All that is known when a license is stored. */
interface Activated {
  readonly key: string;
  readonly accepted: Accepted;
  readonly before: License | null;
  /** The key is the one that was there. */
  readonly isSame: boolean;
  readonly turn: string;
}

const refuse = (reason: RefusalReason): never => fail('license_refused', { data: { reason } });

/** Passes what went wrong with the server on to the client. */
export function failUnreachable(error: unknown): never {
  if (error instanceof ServerUnreachable) fail(error.code, { message: error.message, cause: error });
  throw error;
}

/** Makes a key the license of a product at a place. Whoever calls has the turn. */
export class Activation {
  readonly #parts: ActivationParts;

  constructor(parts: ActivationParts) {
    this.#parts = parts;
  }

  /**
   * The key that was there before is released once the new one is accepted; a refused one leaves all as it was.
   * @throws `license_refused`, `license_server_not_configured`, `license_server_unreachable`, `license_busy`
   */
  async run(actor: Actor, place: Place, key: string, turn: string): Promise<License> {
    const { db, secrets, release } = this.#parts;
    const patience = new Patience();
    const before = await findLicense(db.knex, place.keep, place.product.product_id);
    const keyBefore = before && secrets.open(before.sealed_key);
    const isSame = keyBefore === key;
    const accepted = isOffline(key)
      ? this.#acceptOffline(place, key)
      : await this.#acceptByServer(place, key, isSame, patience).catch(failUnreachable);
    const license = await db.transaction((trx) =>
      this.#store(trx, actor, place, { key, accepted, before, isSame, turn }),
    );
    if (before && (!isSame || before.url !== place.url)) await release.atServer(place, before, patience);
    return license;
  }

  #acceptOffline(place: Place, text: string): Accepted {
    const { key, fault } = judgeOfflineKey(text, place, this.#parts.clock.now());
    if (fault !== null) return refuse(fault);
    return { kind: 'offline', seat_hash: key.hash, facts: offlineFacts(key) };
  }

  /** The same key is asked about before a seat is asked for: it may have one, and is to get no second. */
  async #acceptByServer(place: Place, key: string, isSame: boolean, patience: Patience): Promise<Accepted> {
    const { server } = this.#parts;
    const about = { key, url: place.url };
    if (isSame) {
      const checked = await server.ask(place, 'check_license', about, patience);
      if (grants(checked)) return this.#accept(place, checked, key);
    }
    const answer = await server.ask(place, 'activate_license', about, patience);
    if (grants(answer)) {
      try {
        return this.#accept(place, answer, key);
      } catch (refused) {
        // It took a seat for nothing, unless it had one before.
        if (!isSame) await server.ask(place, 'deactivate_license', about, patience).catch(() => undefined);
        throw refused;
      }
    }
    if (answer.license === undefined && answer.error === undefined) throw saidNothing();
    const reason = refusalOf(answer);
    if (reason === 'no_activations_left') {
      // The seat may be ours: taken by an activation that nobody finished.
      const checked = await server.ask(place, 'check_license', about, patience);
      if (grants(checked)) return this.#accept(place, checked, key);
    }
    return refuse(reason);
  }

  /** A server that grants what has expired, or something else than was asked for, grants nothing. */
  #accept(place: Place, answer: RawAnswer, key: string): Accepted {
    const { products, clock } = this.#parts;
    const facts = factsOf(answer, key);
    if (isOfAnother(products(), place.product, answer)) return refuse('key_mismatch');
    if (facts.expires_at !== null && Date.parse(facts.expires_at) <= clock.now().getTime()) {
      return refuse('expired');
    }
    return { kind: 'server', seat_hash: null, facts };
  }

  async #store(
    trx: Knex.Transaction,
    actor: Actor,
    place: Place,
    { key, accepted, before, isSame, turn }: Activated,
  ): Promise<License> {
    const { clock, secrets } = this.#parts;
    const { keep, product, settings } = place;
    if (!(await holdTurn(trx, turn))) fail('license_busy');
    if (!(await holdSite(trx, keep))) fail('site_not_found');
    const { facts, kind, seat_hash } = accepted;
    if (seat_hash) {
      const taken = await takeSeat(trx, product.product_id, seat_hash, keep, facts.seat_limit);
      if (!taken) refuse('no_activations_left');
    }
    await giveSeatsBack(trx, product.product_id, keep, seat_hash);
    const now = clock.now();
    const at = now.toISOString();
    const license = await putLicense(trx, {
      ...facts,
      network_id: keep.network_id,
      blog_id: keep.blog_id,
      product_id: product.product_id,
      generation: randomUUID(),
      kind,
      sealed_key: secrets.seal(key),
      key_hint: hintOf(key),
      seat_hash,
      url: place.url,
      share: shareOf(place),
      verdict: 'valid',
      noted_status: 'valid',
      activated_at: isSame && before ? before.activated_at : at,
      checked_at: at,
      answered_at: at,
    });
    await audit(trx, actor, {
      module: 'license',
      action: 'license.activate',
      subject: subjectOf(product.product_id),
      scope: place.scope,
      networkId: keep.network_id,
      blogId: keep.blog_id === 0 ? null : keep.blog_id,
      from: before && { license_key: before.key_hint, status: standingOf(before, settings, now).status },
      to: { license_key: license.key_hint, status: 'valid' },
    });
    return license;
  }
}

/** A number from 0 to 1 that is always the same for a license, and another one for the next. */
function shareOf({ keep, product }: Place): number {
  const hash = createHash('sha256')
    .update(`${keep.network_id} ${keep.blog_id} ${product.product_id}`)
    .digest();
  return hash.readUInt32BE(0) / 2 ** 32;
}
