import { fail } from '@lyceum/core';

const waiting = (seconds: number) => ({
  data: { retry_after: seconds },
  headers: { 'Retry-After': String(seconds) },
});

/** 429: whoever guessed must wait, and nothing that he sends now is looked at. */
export const refuseLocked = (seconds: number): never => fail('svcplatform_pin_lock', waiting(seconds));

/** 429: this login was sent enough mails. */
export const refuseFlood = (seconds: number): never => fail('rest_too_many_requests', waiting(seconds));
