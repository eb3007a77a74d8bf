import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came. */
  readonly raw: string;
  readonly mail: Email;
}

/** Says how a recipient is refused: an SMTP code, or null to take the mail. */
export type Refusal = (recipient: string) => number | null;

/** A real mail server on loopback. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Recipients that were refused, each time. */
  readonly refused: string[] = [];
  refuses: Refusal;
  readonly #server: SMTPServer;
  #arrived: (() => void)[] = [];

  constructor(refuses: Refusal = () => null) {
    this.refuses = refuses;
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: ({ address }, _session, done) => {
        const code = this.refuses(address);
        if (code === null) return done();
        this.refused.push(address);
        done(Object.assign(new Error('not here'), { responseCode: code }));
        this.#tell();
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks);
          PostalMime.parse(raw).then((mail) => {
            const from = envelope.mailFrom ? envelope.mailFrom.address : '';
            const to = envelope.rcptTo.map(({ address }) => address);
            this.received.push({ from, to, raw: raw.toString('utf8'), mail });
            done();
            this.#tell();
          }, done);
        });
      },
    });
    this.#server.on('error', () => undefined);
  }

  #tell(): void {
    for (const wake of this.#arrived.splice(0)) wake();
  }

  /** @returns its `smtp://` URL */
  async listen(port = 0): Promise<string> {
    const server = this.#server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Resolves when this holds after a mail came or was refused. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#arrived.push(resolve));
  }

  /** The mails to an address, when there are so many. */
  async mailsTo(address: string, many: number): Promise<ReceivedMail[]> {
    const found = () => this.received.filter(({ to }) => to.includes(address));
    await this.until(() => found().length >= many);
    return found();
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
