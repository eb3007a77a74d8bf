import { fail } from '../api/errors.ts';
import { readId } from '../api/schema.ts';
import type { Exchange } from './exchange.ts';

/** The answer to a `blog_id` that names no site of the network. */
export function refuseBlog({ query }: Pick<Exchange, 'query'>, single: boolean): never {
  const asked = query.blog_id;
  const isId = typeof asked === 'string' && readId(asked) !== null;
  return fail(!isId || single ? 'invalid_blog' : 'unknown_blog');
}

/** An archived, deleted or spam site is there for those who manage the network. */
export function refuseUnavailable(
  call: { can(capability: string): boolean },
  site: { readonly archived: number; readonly deleted: number; readonly spam: number },
): void {
  if ((site.archived || site.deleted || site.spam) && !call.can('manage_network')) fail('site_unavailable');
}
