import { type Actor, audit, type Clock, type Database, type Secrets } from '@lyceum/core';
import { type Facts, knownFacts, type License, subjectOf } from './license.ts';
import { beginCheck, type CheckOutcome, endCheck, noteStatus, takeRefresh } from './license-store.ts';
import { judgeOfflineKey } from './offline/judge-offline-key.ts';
import { offlineFacts } from './offline/offline-facts.ts';
import type { Place } from './places.ts';
import { isOfAnother, type Product } from './product.ts';
import { hasSeat } from './seat-store.ts';
import { type LicenseServer, type RawAnswer, ServerUnreachable } from './server/license-server.ts';
import { Patience } from './server/patience.ts';
import { factsOf, verdictOf } from './server/read-answer.ts';
import { standingOf } from './standing.ts';

/** Milliseconds between two refreshes of one license. */
const refreshPauseMs = 10_000;

export interface ChecksParts {
  readonly db: Database;
  readonly server: LicenseServer;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly products: () => ReadonlyMap<string, Product>;
}

/** Asks whether licenses still hold. A check takes no seat and changes no key. */
export class Checks {
  readonly #parts: ChecksParts;

  constructor(parts: ChecksParts) {
    this.#parts = parts;
  }

  /** Checks unless that was done within the last 10 s. */
  async refresh(actor: Actor, place: Place, license: License): Promise<void> {
    const { db, clock } = this.#parts;
    if (await takeRefresh(db.knex, license, clock.now(), refreshPauseMs))
      await this.run(actor, place, license);
  }

  /** Checks and stores what it came to, unless the license was replaced or a later check was sooner. */
  async run(actor: Actor, place: Place, license: License): Promise<void> {
    const { db, clock } = this.#parts;
    const check = await beginCheck(db.knex, license);
    if (check === null) return;
    const outcome = await this.#judge(place, license);
    const now = clock.now();
    await db.transaction(async (trx) => {
      const after = await endCheck(trx, license, check, outcome, now);
      if (!after) return;
      const { status } = standingOf(after, place.settings, now);
      if (status === after.noted_status) return;
      await noteStatus(trx, after, status);
      await audit(trx, actor, {
        module: 'license',
        action: 'license.state',
        subject: subjectOf(place.product.product_id),
        scope: place.scope,
        networkId: place.keep.network_id,
        blogId: place.keep.blog_id === 0 ? null : place.keep.blog_id,
        from: { license_key: after.key_hint, status: after.noted_status },
        to: { license_key: after.key_hint, status },
      });
    });
  }

  async #judge(place: Place, license: License): Promise<CheckOutcome> {
    const key = this.#parts.secrets.open(license.sealed_key);
    if (key === null) {
      // Sealed under another secret of the installation: only entering the key again helps.
      return { verdict: 'invalid', facts: knownFacts(license) };
    }
    if (license.kind === 'offline') return this.#judgeOffline(place, license, key);
    try {
      const about = { key, url: place.url };
      const answer = await this.#parts.server.ask(place, 'check_license', about, new Patience());
      const isOther = isOfAnother(this.#parts.products(), place.product, answer);
      const verdict = verdictOf(answer);
      return { verdict: isOther ? 'invalid' : verdict, facts: joinFacts(license, answer, key) };
    } catch (error) {
      if (error instanceof ServerUnreachable)
        return { failure: { code: error.code, message: error.message } };
      throw error;
    }
  }

  async #judgeOffline(place: Place, license: License, text: string): Promise<CheckOutcome> {
    const { db, clock } = this.#parts;
    const { key, fault } = judgeOfflineKey(text, place, clock.now());
    if (fault !== null)
      return { verdict: fault === 'expired' ? 'expired' : 'invalid', facts: knownFacts(license) };
    // A site that was removed and came back has lost its seat.
    const verdict = (await hasSeat(db.knex, license)) ? 'valid' : 'site_inactive';
    return { verdict, facts: offlineFacts(key) };
  }
}

/** What the answer says, and of what it is silent the facts that were known. */
function joinFacts(known: License, answer: RawAnswer, key: string): Facts {
  const told = factsOf(answer, key);
  const saysExpiry = answer.expires !== undefined;
  const saysSeats = ['license_limit', 'site_count', 'activations_left'].some(
    (name) => answer[name] !== undefined,
  );
  return {
    expires_at: saysExpiry ? told.expires_at : known.expires_at,
    lifetime: saysExpiry ? told.lifetime : known.lifetime,
    seat_limit: saysSeats ? told.seat_limit : known.seat_limit,
    seats_used: saysSeats ? told.seats_used : known.seats_used,
    seats_left: saysSeats ? told.seats_left : known.seats_left,
    customer_name: told.customer_name ?? known.customer_name,
    customer_email: told.customer_email ?? known.customer_email,
    answer: told.answer,
  };
}
