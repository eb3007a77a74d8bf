import pg from 'pg';
import type { Logger } from 'pino';
import { connectionOptions } from '../db/database.ts';
import type { PackagesNotice } from './packages-store.ts';

/** A job changed. */
export interface JobNotice {
  readonly kind: 'job';
  readonly id: string;
  /** Token of its run; null while nobody runs it. */
  readonly run: string | null;
  /** Somebody asked for its end. */
  readonly cancel: boolean;
}

/** A notice of another process (or of this one), or `reconnected`: anything may have been missed. */
export type StateNotice =
  | { readonly kind: 'revision'; readonly revision: number }
  | JobNotice
  | PackagesNotice
  /** A record changed that clients may wait for. */
  | { readonly kind: 'record'; readonly topic: string }
  | { readonly kind: 'reconnected' };

const channel = 'lyceum';
const firstDelayMs = 100;
const longestDelayMs = 5_000;
const heartbeatMs = 15_000;

/**
 * Listens on a connection of its own, outside the pool. A notice is only a hint, the revision decides;
 * so a lost connection costs freshness of the hint and nothing else.
 */
export class Listener {
  readonly #url: string;
  readonly #log: Logger;
  readonly #receive: (notice: StateNotice) => void;
  #client: pg.Client | null = null;
  #heartbeat: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #delay = firstDelayMs;
  #stopped = false;

  constructor(url: string, log: Logger, receive: (notice: StateNotice) => void) {
    this.#url = url;
    this.#log = log;
    this.#receive = receive;
  }

  /** Resolves when it listens for the first time; throws when the first connection fails. */
  async start(): Promise<void> {
    await this.#connect();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    clearInterval(this.#heartbeat);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(connectionOptions(this.#url, 'lyceum listener'));
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', (message) => this.#read(message.payload ?? ''));
    await client.connect();
    if (this.#stopped) return client.end();
    this.#client = client;
    await client.query(`listen ${channel}`);
    this.#delay = firstDelayMs;
    // A dead peer sends no error: a statement finds it out.
    this.#heartbeat = setInterval(() => {
      client.query('select 1').catch(() => this.#lost(client));
    }, heartbeatMs);
    this.#heartbeat.unref();
  }

  #read(payload: string): void {
    try {
      this.#receive(JSON.parse(payload) as StateNotice);
    } catch (error) {
      this.#log.warn({ err: error }, 'unreadable notice');
    }
  }

  #lost(client: pg.Client): void {
    if (this.#stopped || (this.#client !== null && this.#client !== client)) return;
    if (this.#client === client) this.#log.warn('listener lost its connection');
    this.#client = null;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#retry);
    client.removeAllListeners('end');
    client.end().catch(() => undefined);
    const wait = this.#delay * (0.5 + Math.random());
    this.#delay = Math.min(this.#delay * 2, longestDelayMs);
    this.#retry = setTimeout(() => {
      this.#connect().then(
        () => this.#receive({ kind: 'reconnected' }),
        () => this.#lost(client),
      );
    }, wait);
    this.#retry.unref();
  }
}
