import type { Context } from 'koa';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Who answers, as far as that was found out. */
interface Told {
  readonly operation?: string;
  readonly spec?: { readonly id: string };
}

interface Series {
  readonly requests: Counter.Internal;
  readonly seconds: Histogram.Internal<'module' | 'operation'>;
}

/** Requests, latency and crashes by module, and what the process uses. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<'module' | 'operation' | 'status'>;
  readonly #seconds: Histogram<'module' | 'operation'>;
  readonly #crashes: Counter<'module'>;
  readonly #kept = new Map<string, Series>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Counter({
      name: 'lyceum_requests_total',
      help: 'Answered requests.',
      labelNames: ['module', 'operation', 'status'],
      registers: [this.registry],
    });
    this.#seconds = new Histogram({
      name: 'lyceum_request_duration_seconds',
      help: 'Time until the answer was ready.',
      labelNames: ['module', 'operation'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [this.registry],
    });
    this.#crashes = new Counter({
      name: 'lyceum_module_crashes_total',
      help: 'What modules did wrong in this process and nobody foresaw.',
      labelNames: ['module'],
      registers: [this.registry],
    });
  }

  crashed(module: string): void {
    this.#crashes.inc({ module });
  }

  observe(ctx: Context, milliseconds: number): void {
    const { operation = 'none', spec } = ctx.state as Told;
    const { requests, seconds } = this.#series(spec?.id ?? 'host', operation, String(ctx.status));
    requests.inc();
    seconds.observe(milliseconds / 1000);
  }

  /** Looking labels up costs more than counting: each combination of module, operation and status keeps its counters. */
  #series(module: string, operation: string, status: string): Series {
    const key = `${module} ${operation} ${status}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const made = {
      requests: this.#requests.labels({ module, operation, status }),
      seconds: this.#seconds.labels({ module, operation }),
    };
    this.#kept.set(key, made);
    return made;
  }
}
