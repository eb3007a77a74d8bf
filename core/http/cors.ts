import type { Context } from 'koa';

const exposed =
  'X-Svc-Nonce, X-Svc-Total, X-Svc-TotalPages, X-WP-Total, X-WP-TotalPages, X-Request-Id, Link, Location, ETag, Retry-After';
const allowedHeaders =
  'Authorization, Content-Type, X-Svc-Nonce, X-WP-Nonce, X-HTTP-Method-Override, Idempotency-Key, If-Match, If-None-Match';

/** Grants an allowed origin; any other gets no header, so that its browser refuses it. */
export function grantOrigin(ctx: Context, allowedOrigins: readonly string[]): boolean {
  if (allowedOrigins.length === 0) return false;
  ctx.vary('Origin');
  const origin = ctx.get('Origin');
  if (origin === '' || !allowedOrigins.includes(origin)) return false;
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Allow-Credentials', 'true');
  ctx.set('Access-Control-Expose-Headers', exposed);
  return true;
}

/** Takes back what the site's list granted: the operation has a rule of its own, and grants no credentials. */
export function grantInstead(ctx: Context, isAllowed: boolean): void {
  for (const name of ['Origin', 'Credentials', 'Methods']) ctx.remove(`Access-Control-Allow-${name}`);
  ctx.remove('Access-Control-Expose-Headers');
  ctx.vary('Origin');
  if (isAllowed) ctx.set('Access-Control-Allow-Origin', ctx.get('Origin'));
}

/** Answers a browser's question before the request itself. */
export function answerPreflight(ctx: Context, methods: readonly string[]): void {
  ctx.status = 204;
  ctx.set('Allow', methods.join(', '));
  if (!ctx.res.hasHeader('Access-Control-Allow-Origin')) return;
  ctx.set('Access-Control-Allow-Methods', methods.join(', '));
  ctx.set('Access-Control-Allow-Headers', allowedHeaders);
  ctx.set('Access-Control-Max-Age', '600');
}
