import type { Context } from 'koa';
import { etagOf, matchesEtag } from '../etag.ts';
import { putJson } from '../ready-body.ts';

/** A document as it is sent, with its validator: made once, sent many times. */
export interface KeptDocument {
  readonly body: Buffer;
  readonly etag: string;
}

export function keepDocument(value: object): KeptDocument {
  const text = JSON.stringify(value);
  return { body: Buffer.from(text), etag: etagOf(text) };
}

/** Sends it, or 304 to who has it already. */
export function sendKept(ctx: Context, { body, etag }: KeptDocument): void {
  const { res } = ctx;
  res.setHeader('ETag', etag);
  // Private: the answer to a session carries its nonce.
  res.setHeader('Cache-Control', 'private, no-cache');
  if (matchesEtag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  putJson(ctx, 200, body);
}
