import { Database, defineModule, Keys } from '@lyceum/core';
import { ChallengeStore } from './challenge-store.ts';
import { CountStore } from './count-store.ts';
import { errors } from './errors.ts';
import { Guesses } from './guesses.ts';
import { LockStore } from './lock-store.ts';
import { Logins } from './logins.ts';
import { mailPin } from './mail-pin.ts';
import { createPasswordless } from './migrations/001-passwordless.ts';
import { requestPin } from './operations/request-pin.ts';
import { verifyPin } from './operations/verify-pin.ts';
import { PinRequests } from './pin-requests.ts';
import { PinSecrets } from './pin-secrets.ts';
import { forgetExpired } from './schedules.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'passwordless',
  title: 'Sign-in by one-time code',
  description: 'People type their login, get a code of six digits by mail, type it in and are signed in.',
  namespaces: ['svc/passwordless/v1'],
  defaultEnabled: true,
  settings,
  errors,
  tables: { passwordless_challenges: { copy: 'none' } },
  migrations: [createPasswordless],
  services: (provide) => [
    provide(PinSecrets, [Keys], (keys) => new PinSecrets(keys)),
    provide(LockStore, [], () => new LockStore()),
    provide(CountStore, [], () => new CountStore()),
    provide(ChallengeStore, [], () => new ChallengeStore()),
    provide(Logins, [Database, PinSecrets], (db, secrets) => new Logins(db, secrets)),
    provide(
      PinRequests,
      [Database, LockStore, ChallengeStore],
      (db, locks, challenges) => new PinRequests(db, locks, challenges),
    ),
    provide(
      Guesses,
      [Database, PinSecrets, LockStore, CountStore, ChallengeStore],
      (db, secrets, locks, counts, challenges) => new Guesses({ db, secrets, locks, counts, challenges }),
    ),
  ],
  operations: [requestPin, verifyPin],
  jobs: [mailPin],
  schedules: [forgetExpired],
});
