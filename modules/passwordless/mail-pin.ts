import {
  composeMail,
  Database,
  type JobRun,
  Letterheads,
  languageFor,
  type MailMessage,
  mailJob,
  timeInWords,
} from '@lyceum/core';
import { ChallengeStore } from './challenge-store.ts';
import { mailWords } from './mail-words.ts';
import { PinSecrets } from './pin-secrets.ts';

export const mailPinType = 'passwordless.mail';

interface PinPayload {
  readonly challenge_id: string;
}

/** Draws a code, keeps its hash, and mails it. A repeated try draws another one, and the earlier is good no more. */
export const mailPin = mailJob<PinPayload>({
  id: mailPinType,
  title: 'Mail with a one-time code',
  write: async (job) => {
    const id = job.payload.challenge_id;
    const user = await job.get(ChallengeStore).addressee(job.get(Database).knex, id);
    const seconds = await job.setting<number>('pin_ttl');
    if (!user) return null;
    const pin = job.get(PinSecrets).draw();
    const hash = job.get(PinSecrets).hash(id, user.id, pin);
    let armed = false;
    await job.step(async (trx) => {
      armed = await job.get(ChallengeStore).arm(trx, id, hash, seconds);
      return {};
    });
    return armed ? letter(job, user, pin, seconds) : null;
  },
  sent: (trx, { challenge_id }) => new ChallengeStore().markSent(trx, challenge_id),
});

async function letter(
  job: JobRun<PinPayload>,
  { email, locale }: { readonly email: string; readonly locale: string },
  pin: string,
  seconds: number,
): Promise<MailMessage | null> {
  const head = await job.get(Letterheads).of(job.site.blog_id);
  if (!head) return null;
  const language = languageFor(locale, head.language);
  const words = mailWords[language];
  return composeMail(head, {
    to: email,
    language,
    subject: (await job.setting<string>('mail_subject')) || words.subject,
    text: (await job.setting<string>('mail_text')) || words.text,
    values: { pin, minutes: String(Math.ceil(seconds / 60)), time: timeInWords(language, seconds) },
    code: 'pin',
  });
}
