import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { MailMessage } from './message.ts';
import { Outbox } from './outbox.ts';

/** Milliseconds that a mail server may take to greet, and to answer each command. */
const serverPatienceMs = 10_000;

/** Milliseconds that a process which ends waits for its mails: it must be gone within 10 s. */
const stopPatienceMs = 5_000;

export interface MailOptions {
  /** `smtp://` or `smtps://`; null: mails become files. */
  readonly smtpUrl: string | null;
  /** Folder of those files. */
  readonly outbox: string;
  readonly log: Logger;
}

/** Nothing that a mail names is ever read from disk or fetched. */
const closed = { disableFileAccess: true, disableUrlAccess: true } as const;

type Deliver = (message: MailMessage) => Promise<void>;

function bySmtp(url: string): { readonly deliver: Deliver; readonly close: () => void } {
  const transport = createTransport({
    url,
    pool: true,
    maxRequeues: 2,
    connectionTimeout: serverPatienceMs,
    greetingTimeout: serverPatienceMs,
    socketTimeout: serverPatienceMs,
  });
  return {
    deliver: async (message) => void (await transport.sendMail({ ...message, ...closed })),
    close: () => transport.close(),
  };
}

function intoOutbox(folder: string): Deliver {
  const outbox = new Outbox(folder);
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return async (message) => {
    const { message: composed } = await composer.sendMail({ ...message, ...closed });
    await outbox.keep(composed as Buffer);
  };
}

/** Sends text mails, after the transaction that caused them. A mail that fails is logged and harms nobody. */
export class Mail {
  readonly #deliver: Deliver;
  readonly #close: () => void;
  readonly #awaited: boolean;
  readonly #log: Logger;
  readonly #underway = new Set<Promise<void>>();

  constructor({ smtpUrl, outbox, log }: MailOptions) {
    const smtp = smtpUrl === null ? null : bySmtp(smtpUrl);
    this.#deliver = smtp?.deliver ?? intoOutbox(outbox);
    this.#close = smtp?.close ?? (() => undefined);
    this.#awaited = smtp === null;
    this.#log = log;
  }

  /**
   * Hands a mail over. Resolves when its file is written, or at once where a server takes it: a request does not
   * wait for a slow one. Never rejects.
   */
  async send(message: MailMessage): Promise<void> {
    const delivery = this.#deliver(message).catch((error: unknown) =>
      this.#log.error({ err: error }, 'mail not sent'),
    );
    this.#underway.add(delivery);
    const done = delivery.finally(() => this.#underway.delete(delivery));
    if (this.#awaited) await done;
  }

  /** Resolves when every mail handed over so far is sent or has failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#underway);
  }

  /** Lets what is under way finish, for some seconds. */
  async stop(): Promise<void> {
    let patience: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      patience = setTimeout(resolve, stopPatienceMs);
    });
    await Promise.race([this.settled(), late]);
    clearTimeout(patience);
    this.#close();
  }
}
