import type { Context } from 'koa';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Requests and latency by module and operation, and what the process uses. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<'module' | 'operation' | 'status'>;
  readonly #seconds: Histogram<'module' | 'operation'>;

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
    const module = operation.slice(0, Math.max(operation.indexOf('.'), 0)) || 'host';
    this.#requests.inc({ module, operation, status: String(ctx.status) });
    this.#seconds.observe({ module, operation }, milliseconds / 1000);
  }
}
