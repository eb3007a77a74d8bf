import type { Context } from 'koa';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

interface Series {
  readonly requests: Counter.Internal;
  readonly seconds: Histogram.Internal<'module' | 'operation'>;
}

/** Requests and latency by module and operation, and what the process uses. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<'module' | 'operation' | 'status'>;
  readonly #seconds: Histogram<'module' | 'operation'>;
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
  }

  observe(ctx: Context, milliseconds: number): void {
    const operation: string = ctx.state.operation ?? 'none';
    const { requests, seconds } = this.#series(operation, String(ctx.status));
    requests.inc();
    seconds.observe(milliseconds / 1000);
  }

  /** Looking labels up costs more than counting: each pair of operation and status keeps its counters. */
  #series(operation: string, status: string): Series {
    const key = `${operation} ${status}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const module = operation.slice(0, Math.max(operation.indexOf('.'), 0)) || 'host';
    const made = {
      requests: this.#requests.labels({ module, operation, status }),
      seconds: this.#seconds.labels({ module, operation }),
    };
    this.#kept.set(key, made);
    return made;
  }
}
