import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Head and body as they came. */
  readonly data: string;
}

/** A mail server on loopback that speaks as much SMTP as a sender needs. */
export class SmtpServer {
  readonly received: ReceivedMail[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #refuses: (recipient: string) => boolean;

  constructor(refuses: (recipient: string) => boolean = () => false) {
    this.#refuses = refuses;
    this.#server = createServer((socket) => this.#talk(socket));
  }

  /** @returns its `smtp://` URL */
  listen(): Promise<string> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => {
        resolve(`smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
      });
    });
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #talk(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    const answers = this.#conversation();
    let pending = '';
    let ends = '\r\n';
    socket.write('220 test\r\n');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      pending += chunk;
      for (let at = pending.indexOf(ends); at >= 0; at = pending.indexOf(ends)) {
        const answer = answers(pending.slice(0, at));
        pending = pending.slice(at + ends.length);
        // After 354 the text of the mail follows, up to a line with a dot.
        ends = answer.startsWith('354') ? '\r\n.\r\n' : '\r\n';
        socket.write(`${answer}\r\n`);
      }
    });
  }

  /** What to answer to each command, or to the text of a mail. */
  #conversation(): (said: string) => string {
    let from = '';
    let to: string[] = [];
    let isText = false;
    return (said) => {
      if (isText) {
        this.received.push({ from, to, data: said });
        to = [];
        isText = false;
        return '250 taken';
      }
      const address = /<(.*)>/.exec(said)?.[1] ?? '';
      const command = said.slice(0, 4).toUpperCase();
      if (command === 'MAIL') from = address;
      if (command === 'RCPT' && this.#refuses(address)) return '550 no such person';
      if (command === 'RCPT') to.push(address);
      isText = command === 'DATA';
      if (isText) return '354 go on';
      return command === 'QUIT' ? '221 bye' : '250 fine';
    };
  }
}
