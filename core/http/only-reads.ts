import type { Context } from 'koa';
import { fail } from '../api/errors.ts';
import { answerPreflight } from './cors.ts';

const reads = ['GET', 'HEAD'];

/**
 * True for GET and HEAD. A browser's question before its request is answered here, then false;
 * throws 405 for every other method.
 */
export function isRead(ctx: Context): boolean {
  if (reads.includes(ctx.method)) return true;
  if (ctx.method !== 'OPTIONS') {
    fail('rest_method_not_allowed', { headers: { Allow: reads.join(', ') } });
  }
  answerPreflight(ctx, reads);
  return false;
}
