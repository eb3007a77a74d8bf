import type { Logger } from 'pino';
import type { Token } from '../api/provider.ts';
import { networkCapabilities } from '../auth/capabilities.ts';

/** What the host tells of any call, whatever it is for. */
interface ReachWords {
  readonly user: { readonly super_admin: boolean } | null;
  readonly single: boolean;
  /** Those that the user holds by role. */
  readonly capabilities: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  /** Milliseconds, at the moment when the host asked. */
  readonly now: number;
}

export interface WorkerReachParts<W extends ReachWords> {
  readonly words: W;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly get: <T>(token: Token<T>) => T;
}

/** What code in a worker may ask of the site, the user and the host, for a request as for a part of a page. */
export class WorkerReach<W extends ReachWords> {
  readonly signal: AbortSignal;
  readonly log: Logger;
  protected readonly words: W;
  readonly #get: WorkerReachParts<W>['get'];
  readonly #began = Date.now();

  constructor({ words, signal, log, get }: WorkerReachParts<W>) {
    this.signal = signal;
    this.log = log;
    this.words = words;
    this.#get = get;
  }

  can(capability: string): boolean {
    const { user, single, capabilities } = this.words;
    if (!user) return false;
    if (user.super_admin) return !(single && networkCapabilities.has(capability));
    return capabilities.includes(capability);
  }

  setting<T>(name: string): T {
    return (Object.hasOwn(this.words.settings, name) ? this.words.settings[name] : undefined) as T;
  }

  get<T>(token: Token<T>): T {
    return this.#get(token);
  }

  now(): Date {
    return new Date(this.words.now + (Date.now() - this.#began));
  }
}
