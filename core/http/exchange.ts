import type { Context } from 'koa';
import { CodedError } from '../api/errors.ts';
import type { Presented } from '../auth/credentials.ts';
import type { IdentityRow } from '../auth/identity.ts';
import type { SiteState } from '../state/site-state.ts';
import type { Peer } from './peer.ts';

/** A request whose site is known: what every part of the pipeline works on. */
export interface Exchange {
  readonly ctx: Context;
  readonly peer: Peer;
  readonly requestId: string;
  readonly identity: IdentityRow;
  readonly presented: Presented;
  readonly state: SiteState;
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  /** The same standing with this site chosen, for a body that names one. */
  readonly choose: (blogId: number) => Promise<IdentityRow | null>;
  /** Path below the site, without leading slash: `api/svc/…`. */
  readonly rest: string;
}

/** 401 `rest_forbidden` from within a handler, for whoever does not prove himself as the operation wants it. */
export const refuseUnproved = (): never => {
  throw new NotSignedIn('What proves the sender is missing or wrong.');
};

/** 401 in place of the table's 403: nobody is signed in. */
export class NotSignedIn extends CodedError {
  constructor(message?: string) {
    super('rest_forbidden', { message: message ?? 'You must be signed in to do that.' });
  }
}
