import type { Knex } from 'knex';
import { defineJob, type Job, type JobRun, type PendingJob } from '../api/job.ts';
import { Mail } from './mail.ts';
import type { MailMessage } from './message.ts';

/** Seconds from one try to the next: five more tries within ten minutes, the first one soon. */
const retryAfterSeconds = [2, 18, 60, 160, 360];

/** A mail that is sent by a job. Its payload names what the mail is about by ids alone. */
export interface MailJob<P> {
  /** `<module>.<name>` */
  readonly id: string;
  readonly title: string;
  /**
   * Writes the mail, anew at each try; null when nobody is to get one. A secret is drawn here, kept as a hash
   * before this resolves, and in the mail alone otherwise.
   */
  readonly write: (job: JobRun<P>) => Promise<MailMessage | null>;
  /** In the transaction that ends the job: the mail is out. Not called where there was none. */
  readonly sent?: (trx: Knex.Transaction, payload: P) => Promise<void>;
  /** In a transaction: no try will follow, and the mail is not out. */
  readonly failed?: (trx: Knex.Transaction, payload: P) => Promise<void>;
}

/**
 * Declares a job that sends one mail. A server that is away is tried again five times over ten minutes, then the job
 * fails as `mail_unavailable`; a mail that the server refuses fails it at once, as `mail_rejected`. A process that is
 * lost between the delivery and the end of the job lets the mail go out twice.
 */
export const mailJob = <P>({ id, title, write, sent, failed }: MailJob<P>): Job =>
  defineJob<P>({
    id,
    title,
    lane: 'mail',
    cancellable: false,
    errors: ['mail_rejected', 'mail_unavailable'],
    retryAfterSeconds,
    run: async (job) => {
      const message = await write(job);
      if (message) await job.get(Mail).deliver(message);
      return job.finish(async (trx) => {
        if (message) await sent?.(trx, job.payload);
        return { sent: message !== null };
      });
    },
    undo: async (job) => {
      await job.step(async (trx) => {
        await failed?.(trx, job.payload);
        return {};
      });
    },
    withdraw: async (job: PendingJob<P>, { trx }) => failed?.(trx, job.payload),
  });
