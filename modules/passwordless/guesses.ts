import {
  addressBlock,
  audit,
  type Call,
  type Database,
  type SignIn,
  sameSiteUrl,
  signIn,
  Turns,
  Users,
} from '@lyceum/core';
import type { Knex } from 'knex';
import type { Challenge, ChallengeStore } from './challenge-store.ts';
import type { CountStore, Limit } from './count-store.ts';
import type { LockStore } from './lock-store.ts';
import { mayLogIn } from './login-store.ts';
import type { Login } from './logins.ts';
import type { PinSecrets } from './pin-secrets.ts';
import { refuseLocked } from './refuse.ts';

export interface GuessesParts {
  readonly db: Database;
  readonly secrets: PinSecrets;
  readonly locks: LockStore;
  readonly counts: CountStore;
  readonly challenges: ChallengeStore;
}

/** A guess as it was sent. */
export interface Guess {
  readonly login: Login;
  /** null for what can be no code. */
  readonly pin: string | null;
  readonly redirect: unknown;
}

/** A session, or how many guesses are left. */
export type Outcome = { readonly signIn: SignIn } | { readonly attemptsLeft: number };

const hour = 3_600;

/** Wrong codes of one account in an hour, whatever its locks say; a network that allows more before a lock gets them. */
const mostOfAccount = 10;
/** Wrong codes from one address within `lock_seconds`, and from its neighbourhood in an hour. */
const mostOfAddress = 20;
const mostOfBlock = 30;

/** Stands for a challenge that is not there, so that the work is the same. */
const nobody: Challenge = { id: '', user_id: 0, pin_hash: null, attempts: 0 };

/** Compares codes, and counts before it compares. Whoever holds the row of a login decides alone about it. */
export class Guesses {
  readonly #parts: GuessesParts;
  /** Guesses at one login wait here and not on connections of the pool. */
  readonly #byLogin = new Turns(2);

  constructor(parts: GuessesParts) {
    this.#parts = parts;
  }

  /** @throws `svcplatform_pin_lock` while login or address are locked: then the code is not looked at */
  take(call: Call, guess: Guess): Promise<Outcome> {
    const { db } = this.#parts;
    const limits = limitsOf(call, guess.login);
    return this.#byLogin.run(guess.login.key.toString('base64'), async () => {
      await this.#refuseLocked(guess.login, limits);
      return db.transaction((trx) => this.#decide(trx, call, guess, limits));
    });
  }

  /** A look that waits for nobody: most of a flood ends here. */
  async #refuseLocked({ key }: Login, limits: readonly Limit[]): Promise<void> {
    const { db, locks, counts } = this.#parts;
    const wait = await locks.lockedFor(db.knex, key);
    if (wait > 0) refuseLocked(wait);
    const full = await counts.full(db.knex, limits);
    if (full.length > 0) refuseLocked(Math.max(...full.map((one) => one.wait)));
  }

  async #decide(
    trx: Knex.Transaction,
    call: Call,
    { login, pin, redirect }: Guess,
    limits: readonly Limit[],
  ): Promise<Outcome> {
    const { locks, counts, challenges, secrets } = this.#parts;
    const lock = await locks.hold(trx, login.key, call.setting<number>('lock_seconds'));
    if (lock.lockedFor > 0) refuseLocked(lock.lockedFor);
    const counted = await counts.charge(trx, limits);
    const over = counted.filter(({ count, most }) => count > most);
    // The throw takes the charge back: only what was looked at counts.
    if (over.length > 0) refuseLocked(Math.max(...over.map(({ wait }) => wait)));
    const challenge = await challenges.hold(trx, call.currentSite.blog_id, login.key);
    const { id, user_id, pin_hash } = challenge ?? nobody;
    const fits = secrets.fits(pin_hash, id, user_id ?? 0, pin ?? '');
    const holder = fits && pin !== null && user_id === login.userId ? user_id : null;
    // His rights may have ended since he was looked up.
    if (challenge && holder !== null && (await mayLogIn(this.#parts.db, trx, holder, call.currentSite))) {
      await challenges.consume(trx, challenge.id);
      await locks.reset(trx, login.key);
      await counts.giveBack(trx, limits);
      return { signIn: await this.#open(trx, call, holder, redirect) };
    }
    const account = counted.find(({ key }) => key === accountKey(login));
    const ofHour = account ? account.most - account.count : 0;
    return this.#miss(trx, call, login, challenge, lock.failures + 1, ofHour);
  }

  async #open(trx: Knex.Transaction, call: Call, userId: number, redirect: unknown): Promise<SignIn> {
    const user = await call.get(Users).find(trx, call.currentSite, userId);
    if (!user) throw new Error('An account that was held is gone.');
    const opened = await signIn(trx, call, user, sameSiteUrl(call.currentSite.url, redirect));
    await audit(trx, actorFor(call, user), {
      module: 'passwordless',
      action: 'passwordless.login',
      subject: `user:${user.id}`,
      to: { address: call.ip },
    });
    return opened;
  }

  async #miss(
    trx: Knex.Transaction,
    call: Call,
    { key }: Login,
    challenge: Challenge | null,
    failures: number,
    leftOfHour: number,
  ): Promise<Outcome> {
    const { locks, challenges } = this.#parts;
    const most = call.setting<number>('max_attempts');
    const locksNow = failures >= most;
    // A code lives longer than a window may: its own guesses count, too.
    const burns = locksNow || (challenge?.attempts ?? 0) + 1 >= most;
    await challenges.miss(trx, challenge?.id ?? null, burns);
    await locks.fail(trx, key, failures, locksNow ? call.setting<number>('lock_seconds') : null);
    if (locksNow) {
      await audit(trx, actorFor(call, null), {
        module: 'passwordless',
        action: 'passwordless.lock',
        subject: `login:${key.toString('hex')}`,
        to: { address: call.ip },
      });
    }
    return { attemptsLeft: Math.max(0, Math.min(most - failures, leftOfHour)) };
  }
}

/** Whoever sent the request may have been signed in as somebody else: audited is the one who signs in, or nobody. */
const actorFor = (call: Call, user: { readonly id: number; readonly login: string } | null) => ({
  site: call.currentSite,
  user,
  ip: call.ip,
  requestId: call.requestId,
});

const accountKey = ({ key }: Login): string => `account ${key.toString('base64')}`;

function limitsOf(call: Call, login: Login): Limit[] {
  const attempts = call.setting<number>('max_attempts');
  const lockSeconds = call.setting<number>('lock_seconds');
  return [
    { key: accountKey(login), most: Math.max(mostOfAccount, attempts), seconds: hour },
    { key: `address ${addressBlock(call.ip, 32)}`, most: mostOfAddress, seconds: lockSeconds },
    { key: `block ${addressBlock(call.ip, 24)}`, most: mostOfBlock, seconds: hour },
  ];
}
