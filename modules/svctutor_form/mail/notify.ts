import { CodedError, defineJob, fail, isCoded, Mail, TransientFailure } from '@lyceum/core';
import { entryLetter } from './entry-letter.ts';
import { notifyType } from './notify-type.ts';

/** Seconds from one try to the next, while the mail server is away: five more within ten minutes. */
const retryAfterSeconds = [2, 18, 60, 160, 360];

/** Noted before each delivery, so that whoever takes over from a lost worker knows that the mail may be out. */
interface Progress {
  readonly delivering: boolean;
  /** Workers that were lost while they delivered. */
  readonly unsure: number;
}

/** Mails about a new entry. A crash may repeat the mail, but never more than once. */
export const notify = defineJob<{ readonly entry_id: number }>({
  id: notifyType,
  title: 'Mail about a new entry of a form',
  lane: 'mail',
  errors: ['mail_failed'],
  retryAfterSeconds,
  run: async (job) => {
    const mail = await entryLetter(job);
    if (!mail) return { sent: false };
    const before = job.cursor<Progress>() ?? { delivering: false, unsure: 0 };
    const unsure = before.unsure + (before.delivering ? 1 : 0);
    if (unsure > 1) fail('mail_failed', { message: 'Nobody knows whether the mail is out.' });
    const note = (delivering: boolean): Promise<void> =>
      job.step(async () => ({ cursor: { delivering, unsure } satisfies Progress }));
    await note(true);
    try {
      await job.get(Mail).deliver(mail);
    } catch (error) {
      await note(false);
      throw failureOf(error);
    }
    return job.finish(async () => ({ sent: true }));
  },
});

/** The failure under the code of this module; one that may pass is tried again. */
function failureOf(error: unknown): unknown {
  if (isCoded(error, 'mail_rejected')) {
    return new CodedError('mail_failed', { message: 'The mail server refuses the mail.', cause: error });
  }
  if (!(error instanceof TransientFailure)) return error;
  return new TransientFailure(error.message, { cause: new CodedError('mail_failed', { cause: error }) });
}
