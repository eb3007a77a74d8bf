import { type Call, type Database, Jobs } from '@lyceum/core';
import type { Knex } from 'knex';
import type { ChallengeStore } from './challenge-store.ts';
import type { LockStore } from './lock-store.ts';
import type { Login } from './logins.ts';
import { mailPinType } from './mail-pin.ts';
import { refuseFlood, refuseLocked } from './refuse.ts';

const hour = 3_600;

/** Takes requests for codes: the same rows for every login, whether somebody is behind it or not. */
export class PinRequests {
  readonly #db: Database;
  readonly #locks: LockStore;
  readonly #challenges: ChallengeStore;

  constructor(db: Database, locks: LockStore, challenges: ChallengeStore) {
    this.#db = db;
    this.#locks = locks;
    this.#challenges = challenges;
  }

  /** @throws `svcplatform_pin_lock` */
  async refuseLocked({ key }: Login): Promise<void> {
    const wait = await this.#locks.lockedFor(this.#db.knex, key);
    if (wait > 0) refuseLocked(wait);
  }

  /**
   * Writes a challenge and enqueues its mail.
   * @throws `svcplatform_pin_lock`; `rest_too_many_requests` when the login had its mails
   */
  async take(call: Call, { key, userId }: Login): Promise<void> {
    await this.#db.transaction(async (trx) => {
      const lock = await this.#locks.hold(trx, key, call.setting<number>('lock_seconds'));
      if (lock.lockedFor > 0) refuseLocked(lock.lockedFor);
      await this.#refuseFlood(trx, call, key);
      const { blog_id, network_id } = call.currentSite;
      const challenge_id = await this.#challenges.replace(trx, {
        blogId: blog_id,
        loginKey: key,
        userId,
        seconds: call.setting<number>('pin_ttl'),
      });
      await call.get(Jobs).enqueue(trx, {
        type: mailPinType,
        payload: { challenge_id },
        site: { blog_id, network_id },
        userId: null,
        startAfterSeconds: 0,
      });
    });
  }

  async #refuseFlood(trx: Knex.Transaction, call: Call, key: Buffer): Promise<void> {
    const most = call.setting<number>('requests_per_hour');
    const ages = await this.#challenges.agesOfRequests(trx, key, most);
    const latest = ages[0] ?? Number.POSITIVE_INFINITY;
    const oldest = ages[most - 1] ?? Number.POSITIVE_INFINITY;
    const wait = Math.max(call.setting<number>('request_interval') - latest, hour - oldest);
    if (wait > 0) refuseFlood(Math.max(1, Math.ceil(wait)));
  }
}
