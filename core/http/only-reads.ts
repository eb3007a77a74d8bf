import type { Context } from 'koa';
import { fail } from '../api/errors.ts';
import { answerPreflight } from './cors.ts';

const reads = ['GET', 'HEAD'];

/**
 * True for GET and HEAD. A browser's question before its request is answered here, then false;
 * throws 405 for every other method.
 */
export const isRead = (ctx: Context): boolean => isReadOf(ctx, reads);

/** The same of a place that takes a form, too: whoever sends something else is told so. */
export const isReadOfForm = (ctx: Context): boolean => isReadOf(ctx, [...reads, 'POST']);

function isReadOf(ctx: Context, allowed: string[]): boolean {
  if (reads.includes(ctx.method)) return true;
  if (ctx.method !== 'OPTIONS') {
    fail('rest_method_not_allowed', { headers: { Allow: allowed.join(', ') } });
  }
  answerPreflight(ctx, allowed);
  return false;
}
