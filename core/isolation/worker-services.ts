import { type Provider, provide, type Token } from '../api/provider.ts';
import { Database } from '../db/database.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import { serviceNames } from './host-service-asks.ts';
import type { Line } from './line.ts';

/** The module's own services, made here; the host's, asked for over the line. */
export class WorkerServices {
  readonly #line: Line;
  readonly #providers: ReadonlyMap<Token, Provider>;
  readonly #made = new Map<Token, unknown>();

  constructor(spec: ModuleSpec, line: Line, database: Database) {
    this.#line = line;
    this.#providers = new Map((spec.services?.(provide) ?? []).map((provider) => [provider.token, provider]));
    this.#made.set(Database, database);
  }

  readonly get = <T>(token: Token<T>): T => {
    if (!this.#made.has(token)) this.#made.set(token, this.#make(token));
    return this.#made.get(token) as T;
  };

  #make(token: Token): unknown {
    const own = this.#providers.get(token);
    if (own) {
      const make = own.make as (...services: unknown[]) => unknown;
      return make(...own.needs.map((needed) => this.get(needed)));
    }
    const name = serviceNames.get(token);
    if (name === undefined) {
      throw new Error(
        `${token.name} is no service of the host; an isolated module sees none of other modules.`,
      );
    }
    return this.#remote(name);
  }

  /** Every method answers with a promise, also one that answers at once in process. */
  #remote(service: string): unknown {
    const line = this.#line;
    return new Proxy(
      {},
      {
        get: (_target, method) =>
          // Nobody may take it for a promise.
          typeof method === 'symbol' || method === 'then'
            ? undefined
            : (...args: unknown[]) => line.ask('service', [service, method, ...args], null),
      },
    );
  }
}
