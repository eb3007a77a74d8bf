import type { Context } from 'koa';
import type { Metrics } from './metrics.ts';
import { isRead } from './only-reads.ts';
import { isPrivateAddress, type Peers } from './peer.ts';

export type Check = () => Promise<void>;

/** A check that takes longer has failed: whoever asks waits 1 to 5 s himself. */
const checkLimitMs = 2_000;

/** `/healthz`, `/readyz` and `/metrics`: on any host name, before any site is looked for. */
export class HealthRoutes {
  readonly #checks: Readonly<Record<string, Check>>;
  readonly #metrics: Metrics;
  readonly #peers: Peers;

  constructor(checks: Readonly<Record<string, Check>>, metrics: Metrics, peers: Peers) {
    this.#checks = checks;
    this.#metrics = metrics;
    this.#peers = peers;
  }

  /** Whether the path is one of the three. Strangers learn of `/metrics` not even that it is there. */
  has(ctx: Context, path: string): boolean {
    if (path === '/metrics') return isPrivateAddress(this.#peers.of(ctx.req).ip);
    return path === '/healthz' || path === '/readyz';
  }

  async serve(ctx: Context, path: string): Promise<void> {
    if (!isRead(ctx)) return;
    if (path === '/healthz') ctx.body = { status: 'ok' };
    else if (path === '/readyz') await this.#ready(ctx);
    else {
      ctx.set('Content-Type', this.#metrics.registry.contentType);
      ctx.body = await this.#metrics.registry.metrics();
    }
    ctx.set('Cache-Control', 'no-store');
  }

  async #ready(ctx: Context): Promise<void> {
    const results = await Promise.all(
      Object.entries(this.#checks).map(
        async ([name, check]) => [name, (await passes(check)) ? 'ok' : 'failed'] as const,
      ),
    );
    const good = results.every(([, result]) => result === 'ok');
    ctx.status = good ? 200 : 503;
    if (!good) ctx.set('Retry-After', '1');
    ctx.body = { status: good ? 'ok' : 'failed', checks: Object.fromEntries(results) };
  }
}

async function passes(check: Check): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), checkLimitMs);
  });
  try {
    return await Promise.race([check().then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
