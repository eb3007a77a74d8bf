import { connect, type Socket } from 'node:net';

/** A request written by hand, so that it can be wrong, slow, or end in the middle. */
export class RawRequest {
  readonly #socket: Socket;
  #received = '';

  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on('data', (data) => {
      this.#received += data.toString('latin1');
    });
    this.#socket.on('error', () => undefined);
  }

  /** Resolves when the bytes are with the system; also when the other side is gone. */
  write(data: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.write(data, () => resolve());
    });
  }

  /** Ends the connection without a good-bye. */
  cut(): void {
    this.#socket.resetAndDestroy();
  }

  get closed(): boolean {
    return this.#socket.closed;
  }

  /** Status and body of the answer. */
  async answer(): Promise<{ status: number; body: { code?: string } }> {
    for (;;) {
      const found = parse(this.#received);
      if (found) {
        this.#socket.destroy();
        return found;
      }
      await new Promise<void>((resolve, reject) => {
        this.#socket.once('data', () => resolve());
        this.#socket.once('close', () => reject(new Error('The connection ended without an answer.')));
      });
    }
  }
}

function parse(text: string): { status: number; body: { code?: string } } | null {
  const head = text.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  if (head < 0 || length === undefined || text.length < head + 4 + Number(length)) return null;
  return {
    status: Number(text.slice(9, 12)),
    body: JSON.parse(text.slice(head + 4, head + 4 + Number(length))),
  };
}
