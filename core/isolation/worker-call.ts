import type { Logger } from 'pino';
import type { Call } from '../api/call.ts';
import type { Token } from '../api/provider.ts';
import { networkCapabilities } from '../auth/capabilities.ts';
import type { SiteState } from '../state/site-state.ts';
import type { KnownCall } from './call-words.ts';

export interface WorkerCallParts {
  readonly words: KnownCall;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly get: <T>(token: Token<T>) => T;
}

/** A call as a handler in a worker is given it. */
export class WorkerCall implements Call {
  readonly site: Call['site'];
  readonly currentSite: Call['currentSite'];
  readonly user: Call['user'];
  readonly credential: Call['credential'];
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly single: boolean;
  readonly https: boolean;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly #words: KnownCall;
  readonly #get: WorkerCallParts['get'];
  readonly #began = Date.now();

  constructor({ words, signal, log, get }: WorkerCallParts) {
    this.site = words.site;
    this.currentSite = words.currentSite;
    this.user = words.user;
    const { secret, found } = words;
    this.credential = { ...words.credential, proof: secret ? { secret, found } : null };
    this.requestId = words.requestId;
    this.ip = words.ip;
    this.userAgent = words.userAgent;
    this.single = words.single;
    this.https = words.https;
    this.signal = signal;
    this.log = log;
    this.#words = words;
    this.#get = get;
  }

  can(capability: string): boolean {
    if (!this.user) return false;
    if (this.user.super_admin) return !(this.single && networkCapabilities.has(capability));
    return this.#words.capabilities.includes(capability);
  }

  setting<T>(name: string): T {
    return (Object.hasOwn(this.#words.settings, name) ? this.#words.settings[name] : undefined) as T;
  }

  get<T>(token: Token<T>): T {
    return this.#get(token);
  }

  now(): Date {
    return new Date(this.#words.now + (Date.now() - this.#began));
  }

  header(name: string): string {
    const wanted = name.toLowerCase();
    return Object.hasOwn(this.#words.headers, wanted) ? (this.#words.headers[wanted] ?? '') : '';
  }

  /** Which modules are on, and of which moment that is. The options of the site stay with the host. */
  get state(): SiteState {
    const { on, ...facts } = this.#words.state;
    const known = { ...facts, isOn: (id: string) => on.includes(id) };
    return new Proxy(known as unknown as SiteState, {
      get(target, name) {
        if (name in target || typeof name === 'symbol') return Reflect.get(target, name) as unknown;
        throw new Error(`call.state.${name} is not there in an isolated module.`);
      },
    });
  }
}
