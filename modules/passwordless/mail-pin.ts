import { Database, mailJob, writeWordedMail } from '@lyceum/core';
import { ChallengeStore } from './challenge-store.ts';
import { mailWords } from './mail-words.ts';
import { PinSecrets } from './pin-secrets.ts';

export const mailPinType = 'passwordless.mail';

interface PinPayload {
  readonly challenge_id: string;
}

const challenges = new ChallengeStore();

/** Draws a code, keeps its hash, and mails it. A repeated try draws another one, and the earlier is good no more. */
export const mailPin = mailJob<PinPayload>({
  id: mailPinType,
  title: 'Mail with a one-time code',
  write: async (job) => {
    const id = job.payload.challenge_id;
    const user = await challenges.addressee(job.get(Database).knex, id);
    const lifetime = await job.setting<number>('pin_ttl');
    if (!user) return null;
    const pin = job.get(PinSecrets).draw();
    const hash = job.get(PinSecrets).hash(id, user.id, pin);
    let armed = false;
    await job.step(async (trx) => {
      armed = await challenges.arm(trx, id, hash, lifetime);
      return {};
    });
    if (!armed) return null;
    const secret = { name: 'pin', kind: 'code', at: () => pin } as const;
    return writeWordedMail(job, { to: user, words: mailWords, lifetime, secret });
  },
  sent: (trx, { challenge_id }) => challenges.markSent(trx, challenge_id),
});
