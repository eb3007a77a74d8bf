import { createHash, timingSafeEqual } from 'node:crypto';
import { addressBlock, type Call, type RateLimit, RateLimits, refuseUnproved } from '@lyceum/core';

/** Wrong secrets of one address. */
const failures: RateLimit = { name: 'svctutor_bot wrong secrets', points: 60, seconds: 60 };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Digests are of one length, so that not even that of the secret shows. */
const isSame = (shown: string, secret: string): boolean => timingSafeEqual(digest(shown), digest(secret));

/**
 * Lets only those on who show the secret. All that a wrong one leaves is a count.
 * @throws 401 `rest_forbidden`, 429 `rest_too_many_requests`
 */
export async function prove(call: Call, shown: unknown, secret: string | null): Promise<void> {
  const isRight = isSame(typeof shown === 'string' ? shown : '', secret ?? '');
  if (isRight && secret !== null) return;
  await call.get(RateLimits).count(failures, addressBlock(call.ip, 32));
  refuseUnproved();
}

/** The same where secrets may be short: whoever guessed too often is not told that he guessed right. */
export async function proveShort(call: Call, shown: unknown, secret: string | null): Promise<void> {
  await call.get(RateLimits).ask(failures, addressBlock(call.ip, 32));
  await prove(call, shown, secret);
}
