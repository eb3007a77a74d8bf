import pg from 'pg';
import type { Logger } from 'pino';
import { askNamed, type NamedStatement, type ParserOf } from './named-query.ts';

export interface LookUpOptions {
  readonly connection: pg.ClientConfig;
  readonly parserOf: ParserOf;
  /** An answer takes longer only when the server or the way to it is gone. */
  readonly patienceMs: number;
  readonly log: Logger;
}

/** Opened as they are needed: each is a process at the server. */
const lanes = 12;

/** Looks at a connection within the patience; a look that a busy thread did late is no reason to give up. */
const looks = 4;

/**
 * Look-ups of every request, on a few connections of their own: nobody waits for a connection of the pool, whatever
 * long work holds it. When all are busy they are sent one behind the other, those of requests that arrived together
 * in one piece. The connections only read, so nothing on them waits for a lock of a row.
 */
export class LookUps {
  readonly #lanes: readonly [Lane, ...Lane[]];

  constructor(options: LookUpOptions) {
    const others = Array.from({ length: lanes - 1 }, () => new Lane(options));
    this.#lanes = [new Lane(options), ...others];
  }

  ask<Row extends object>(statement: NamedStatement, values: readonly unknown[]): Promise<Row[]> {
    let best = this.#lanes[0];
    for (const lane of this.#lanes) {
      if (lane.waiting < best.waiting) best = lane;
    }
    return best.ask(statement, values);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}

/** The types of `pg` leave the stream of a client's connection out. */
interface Stream {
  cork(): void;
  uncork(): void;
  destroy(error: Error): void;
}

const streamOf = (client: pg.Client): Stream =>
  (client as unknown as { connection: { stream: Stream } }).connection.stream;

const giveUp = (client: pg.Client): void =>
  streamOf(client).destroy(new Error('Connection terminated: no answer to a look-up.'));

/** One connection, opened when it is needed and again when it was lost. */
class Lane {
  /** Questions without an answer yet. */
  waiting = 0;
  readonly #options: LookUpOptions;
  #client: pg.Client | null = null;
  #opening: Promise<pg.Client> | null = null;
  #held = false;
  #answered = 0;
  #seen = 0;
  #silent = 0;
  #watch: NodeJS.Timeout | null = null;

  constructor(options: LookUpOptions) {
    this.#options = options;
  }

  async ask<Row extends object>(statement: NamedStatement, values: readonly unknown[]): Promise<Row[]> {
    this.waiting += 1;
    try {
      const client = this.#client ?? (await this.#open());
      if (this.waiting > 1) this.#hold(client);
      this.#watch ??= setInterval(() => this.#look(), this.#options.patienceMs / looks).unref();
      return await askNamed<Row>(client, statement, values, this.#options.parserOf);
    } finally {
      this.waiting -= 1;
      this.#answered += 1;
    }
  }

  async close(): Promise<void> {
    const client = this.#client ?? (await this.#opening?.catch(() => null));
    this.#client = null;
    if (this.#watch) clearInterval(this.#watch);
    if (!client) return;
    // It would wait for answers that never come.
    const patience = setTimeout(() => giveUp(client), this.#options.patienceMs);
    await client.end().catch(() => undefined);
    clearTimeout(patience);
  }

  /** Behind others a question may wait a little more, for those of requests that arrived with its own. */
  #hold(client: pg.Client): void {
    if (this.#held) return;
    this.#held = true;
    const stream = streamOf(client);
    stream.cork();
    setImmediate(() => {
      this.#held = false;
      stream.uncork();
    });
  }

  #open(): Promise<pg.Client> {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#options.connection, pipeline: true });
    const lost = (error?: Error): void => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#options.log.warn({ err: error }, 'a connection for look-ups was lost');
    };
    client.on('error', lost);
    client.on('end', () => lost());
    await client.connect();
    this.#client = client;
    return client;
  }

  /** A dead peer sends no error: as long as answers are due, some must come. */
  #look(): void {
    const waits = this.waiting > 0;
    this.#silent = waits && this.#seen === this.#answered ? this.#silent + 1 : 0;
    this.#seen = this.#answered;
    if (this.#silent >= looks - 1 && this.#client) {
      this.#options.log.warn('a connection for look-ups is silent');
      giveUp(this.#client);
      this.#client = null;
    }
    if (waits || !this.#watch) return;
    clearInterval(this.#watch);
    this.#watch = null;
  }
}
