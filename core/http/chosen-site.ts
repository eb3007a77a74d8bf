import { fail } from '../api/errors.ts';
import type { Operation } from '../api/operation.ts';
import { readId } from '../api/schema.ts';
import type { ChosenSite, IdentityRow } from '../auth/identity.ts';
import type { Exchange } from './exchange.ts';

/** The answer to a `blog_id` that names no site of the network. */
export function refuseBlog(
  { query }: Pick<Exchange, 'query'>,
  single: boolean,
  { invalid, unknown }: NonNullable<Operation['blogCodes']>,
): never {
  const asked = query.blog_id;
  const isId = typeof asked === 'string' && readId(asked) !== null;
  return fail(!isId || single ? invalid : unknown);
}

type Flags = Pick<ChosenSite, 'archived' | 'deleted' | 'spam'>;

export const isClosed = ({ archived, deleted, spam }: Flags): boolean =>
  archived !== 0 || deleted !== 0 || spam !== 0;

/** The site of the address is there for super admins alone while it is archived, deleted or spam. */
export function refuseClosed(identity: IdentityRow): void {
  if (isClosed(identity) && !identity.super_admin) fail('site_unavailable');
}

/** The same for a chosen site, and those who manage the network. */
export function refuseUnavailable(call: { can(capability: string): boolean }, site: Flags): void {
  if (isClosed(site) && !call.can('manage_network')) fail('site_unavailable');
}
