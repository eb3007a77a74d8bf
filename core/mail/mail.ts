import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Logger } from 'pino';
import { CodedError } from '../api/errors.ts';
import { TransientFailure } from '../api/job.ts';
import { asSent } from './as-sent.ts';
import { isRejected, whatHappened } from './mail-errors.ts';
import type { MailMessage } from './message.ts';
import { Outbox } from './outbox.ts';

/** Milliseconds that a mail server may take to greet, and to answer each command. */
const serverPatienceMs = 10_000;

export interface MailOptions {
  /** `smtp://` or `smtps://`; null: mails become files. */
  readonly smtpUrl: string | null;
  /** Folder of those files. */
  readonly outbox: string;
  readonly log: Logger;
}

type Transport = (mail: SendMailOptions) => Promise<void>;

function bySmtp(url: string): { readonly transport: Transport; readonly close: () => void } {
  const smtp = createTransport({
    url,
    pool: true,
    maxRequeues: 2,
    connectionTimeout: serverPatienceMs,
    greetingTimeout: serverPatienceMs,
    socketTimeout: serverPatienceMs,
  });
  return {
    transport: async (mail) => void (await smtp.sendMail(mail)),
    close: () => smtp.close(),
  };
}

function intoOutbox(folder: string): Transport {
  const outbox = new Outbox(folder);
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return async (mail) => {
    const { message: composed } = await composer.sendMail(mail);
    await outbox.keep(composed as Buffer);
  };
}

/** Delivers mails, to a server or into files. It is slow and may fail: called by jobs, see `mailJob`. */
export class Mail {
  readonly #transport: Transport;
  readonly #close: () => void;
  readonly #log: Logger;

  constructor({ smtpUrl, outbox, log }: MailOptions) {
    const smtp = smtpUrl === null ? null : bySmtp(smtpUrl);
    this.#transport = smtp?.transport ?? intoOutbox(outbox);
    this.#close = smtp?.close ?? (() => undefined);
    this.#log = log;
  }

  /**
   * Resolves when the mail is with the server, or its file is written.
   * @throws coded `mail_rejected` when the server will never take it; else `TransientFailure`, whose cause is coded
   * `mail_unavailable`. Neither repeats what the mail says.
   */
  async deliver(message: MailMessage): Promise<void> {
    try {
      await this.#transport(asSent(message));
    } catch (error) {
      this.#log.warn(whatHappened(error), 'mail not delivered');
      if (isRejected(error)) {
        throw new CodedError('mail_rejected', { message: 'The mail server refuses this mail.' });
      }
      const unavailable = new CodedError('mail_unavailable', {
        message: 'The mail could not be handed over.',
      });
      throw new TransientFailure('The mail could not be handed over.', { cause: unavailable });
    }
  }

  /** Ends the connections to the server. */
  stop(): void {
    this.#close();
  }
}
