import { Readable } from 'node:stream';
import { RemoteTransaction } from './remote-transaction.ts';
import { readThrown, type Thrown, writeThrown } from './thrown.ts';
import { decode, encode, type WireEnds } from './wire.ts';

/** A process as the other one sees it. */
export interface Port {
  readonly send: (message: unknown) => void;
  readonly listen: (listener: (message: never) => void) => void;
}

type Message =
  | { readonly ask: string; readonly n: number; readonly args: readonly unknown[] }
  | { readonly done: number; readonly value: unknown }
  | { readonly failed: number; readonly thrown: Thrown }
  | { readonly tell: string; readonly args: readonly unknown[] };

/** What one side does when the other asks. The signal aborts when the asker no longer waits. */
export type Ask = (args: readonly unknown[], signal: AbortSignal) => unknown;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly release: () => void;
}

/** Stands for something of the other side that has no form of its own here. */
export class RemoteReference {}

/**
 * Two processes that ask each other. Data are copied; functions, transactions, streams and signals stay where they
 * are, and what is given of them lives as long as the question that they came with (a stream until it ends).
 */
export class Line {
  readonly #port: Port;
  readonly #asks: Readonly<Record<string, Ask>>;
  readonly #told: Readonly<Record<string, (...args: never[]) => void>>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #running = new Map<number, AbortController>();
  readonly #held = new Map<number, unknown>();
  readonly #stands = new WeakMap<object, number>();
  readonly #signals = new Map<number, AbortController>();
  #count = 0;
  #closed: Error | null = null;

  constructor(
    port: Port,
    asks: Readonly<Record<string, Ask>>,
    told: Readonly<Record<string, (...args: never[]) => void>>,
  ) {
    this.#port = port;
    this.#asks = { ...asks, ...this.#common() };
    this.#told = told;
    port.listen((message: Message) => this.#receive(message));
  }

  /** Resolves with the other side's answer; rejects with what it threw, or when the line is closed. */
  ask(what: string, args: readonly unknown[], signal: AbortSignal | null): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed);
    this.#count += 1;
    const n = this.#count;
    const kept: number[] = [];
    const stop = (): void => this.tell('abort', n);
    const release = (): void => {
      for (const id of kept) this.#held.delete(id);
      signal?.removeEventListener('abort', stop);
    };
    return new Promise((resolve, reject) => {
      try {
        this.#port.send({ ask: what, n, args: encode([...args], this.#ends(kept)) });
      } catch (error) {
        release();
        reject(error);
        return;
      }
      this.#waiting.set(n, { resolve, reject, release });
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Says something that needs no answer. Data only. */
  tell(what: string, ...args: readonly unknown[]): void {
    if (!this.#closed) this.#port.send({ tell: what, args });
  }

  /** Lets `value` stand for what the other side holds under the reference. */
  standFor(value: object, reference: unknown): void {
    const id = this.#stands.get(reference as object);
    if (id !== undefined) this.#stands.set(value, id);
  }

  /** The other side is gone: whoever waits is told so. */
  close(error: Error): void {
    this.#closed = error;
    for (const { reject, release } of this.#waiting.values()) {
      release();
      reject(error);
    }
    this.#waiting.clear();
    for (const running of this.#running.values()) running.abort(error);
    this.#held.clear();
  }

  #receive(message: Message): void {
    if (this.#closed) return;
    if ('ask' in message) void this.#answer(message);
    else if ('done' in message)
      this.#settle(message.done, ({ resolve }) => resolve(this.#read(message.value)));
    else if ('failed' in message) {
      this.#settle(message.failed, ({ reject }) => reject(readThrown(message.thrown)));
    } else if (message.tell === 'abort') this.#running.get(message.args[0] as number)?.abort(aborted());
    else if (message.tell === 'aborted') this.#signals.get(message.args[0] as number)?.abort(aborted());
    else if (message.tell === 'drop') this.#drop(message.args[0] as number);
    else this.#told[message.tell]?.(...(message.args as never[]));
  }

  #settle(n: number, act: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(n);
    this.#waiting.delete(n);
    if (!waiting) return;
    try {
      act(waiting);
    } catch (error) {
      waiting.reject(error);
    }
    waiting.release();
  }

  async #answer({ ask, n, args }: Extract<Message, { ask: string }>): Promise<void> {
    const controller = new AbortController();
    this.#running.set(n, controller);
    try {
      const act = Object.hasOwn(this.#asks, ask) ? this.#asks[ask] : undefined;
      if (!act) throw new Error(`Nobody answers "${ask}".`);
      const value = await act(this.#read(args) as unknown[], controller.signal);
      if (!this.#closed) this.#port.send({ done: n, value: encode(value, this.#ends(null)) });
    } catch (error) {
      if (!this.#closed) this.#port.send({ failed: n, thrown: writeThrown(error) });
    } finally {
      this.#running.delete(n);
    }
  }

  #read(value: unknown): unknown {
    return decode(value, this.#ends(null));
  }

  /** @param kept numbers that live as long as the question; null in an answer, which can give streams only */
  #ends(kept: number[] | null): WireEnds {
    return {
      hold: (value) => this.#hold(value, kept),
      held: (id) => {
        if (!this.#held.has(id))
          throw new Error('What was lent for the time of a call is used after its end.');
        return this.#held.get(id);
      },
      standsFor: (value) => RemoteTransaction.numberOf(value) ?? this.#stands.get(value) ?? null,
      remoteFunction: (id) =>
        this.#stand((...args: unknown[]) => this.ask('function', [id, ...args], null), id),
      remoteTransaction: (id) =>
        RemoteTransaction.open(id, (text, values) => this.#statement(id, text, values)),
      remoteStream: (id) => this.#remoteStream(id),
      remoteSignal: (id, isAborted) => this.#remoteSignal(id, isAborted),
      remoteReference: (id) => this.#stand(new RemoteReference(), id),
    };
  }

  #hold(value: unknown, kept: number[] | null): number {
    if (kept === null && !(value instanceof Readable)) {
      throw new TypeError(
        'An answer between processes must be data or a stream; this one has functions in it.',
      );
    }
    this.#count += 1;
    const id = this.#count;
    if (value instanceof Readable)
      this.#held.set(id, { stream: value, chunks: value[Symbol.asyncIterator]() });
    else {
      this.#held.set(id, value);
      kept?.push(id);
    }
    if (value instanceof AbortSignal)
      value.addEventListener('abort', () => this.tell('aborted', id), { once: true });
    return id;
  }

  #stand<T extends object>(value: T, id: number): T {
    this.#stands.set(value, id);
    return value;
  }

  #statement(id: number, text: string, values: readonly unknown[]): Promise<unknown> {
    return this.ask('statement', [id, text, values], null);
  }

  #remoteStream(id: number): Readable {
    const line = this;
    return new Readable({
      objectMode: true,
      highWaterMark: 4,
      read() {
        line.ask('pull', [id], null).then(
          (next) => {
            const { done, value } = next as IteratorResult<unknown>;
            this.push(done ? null : value);
          },
          (error: unknown) => this.destroy(error as Error),
        );
      },
      destroy(error, done) {
        line.tell('drop', id);
        done(error);
      },
    });
  }

  #remoteSignal(id: number, isAborted: boolean): AbortSignal {
    const controller = new AbortController();
    if (isAborted) controller.abort(aborted());
    else this.#signals.set(id, controller);
    return controller.signal;
  }

  #drop(id: number): void {
    const held = this.#held.get(id) as { readonly stream: Readable } | undefined;
    this.#held.delete(id);
    held?.stream.destroy();
  }

  /** What either side may be asked about things that it lent. */
  #common(): Readonly<Record<string, Ask>> {
    return {
      function: ([id, ...args]) =>
        (this.#ends(null).held(id as number) as (...args: unknown[]) => unknown)(...args),
      statement: ([id, text, values]) =>
        RemoteTransaction.run(this.#ends(null).held(id as number), text as string, values as unknown[]),
      pull: async ([id]) => {
        const { chunks } = this.#ends(null).held(id as number) as { chunks: AsyncIterator<unknown> };
        const next = await chunks.next();
        if (next.done) this.#held.delete(id as number);
        return { done: next.done === true, value: next.value };
      },
    };
  }
}

const aborted = (): Error =>
  Object.assign(new Error('Whoever asked no longer waits.'), { name: 'AbortError' });
