import type { Call } from '../api/call.ts';
import { fail } from '../api/errors.ts';
import type { Access } from '../api/operation.ts';
import type { Proof } from '../api/secret.ts';
import type { Nonces } from '../auth/nonces.ts';
import { type Exchange, NotSignedIn } from './exchange.ts';

/** How a request's credentials stand. `trusted` ones may act; `reason` says why others may not. */
export type Standing =
  | { readonly kind: 'nobody' }
  | {
      readonly kind: 'refused';
      readonly code: 'rest_not_logged_in' | 'rest_cookie_invalid_nonce' | 'rest_forbidden';
    }
  | { readonly kind: 'trusted'; readonly by: 'session' | 'application-password' }
  | { readonly kind: 'trusted'; readonly by: 'secret'; readonly proof: Proof };

/** Decides from what was presented and what the database knows of it. */
export function standingOf({ presented, identity }: Exchange, nonces: Nonces): Standing {
  if (presented.basic) {
    if (identity.user_id === null) return { kind: 'refused', code: 'rest_not_logged_in' };
    return { kind: 'trusted', by: 'application-password' };
  }
  if (!presented.session) return { kind: 'nobody' };
  if (identity.user_id === null) return { kind: 'refused', code: 'rest_not_logged_in' };
  if (presented.nonce === null || presented.nonce === '') return { kind: 'refused', code: 'rest_forbidden' };
  if (!nonces.isGood(presented.nonce, identity.user_id, presented.session)) {
    return { kind: 'refused', code: 'rest_cookie_invalid_nonce' };
  }
  return { kind: 'trusted', by: 'session' };
}

/** Whether the operation may be asked for by somebody who proved nothing, or by a cookie without nonce. */
export function credentialsSuffice(access: Access, standing: Standing, hasUser: boolean): void {
  if ('public' in access || standing.kind === 'trusted') return;
  if (standing.kind === 'nobody') throw new NotSignedIn();
  const cookieAlone = 'signedIn' in access && access.withoutNonce !== undefined && hasUser;
  if (!cookieAlone) fail(standing.code);
}

/** The capability check; throws 403 `rest_forbidden` (401 for nobody), or what the operation's secret says. */
export function checkAccess(access: DataAccess, call: Call): void {
  if (allows(access, call)) return;
  if ('secret' in access) fail(access.secret.refusals.denied);
  refuse(call);
}

/** The same for a check by the module's code, which may be in another process. */
export async function askAccess(
  { check }: CheckedAccess,
  call: Call,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  if ((await check(call, path)) !== true) refuse(call);
}

function refuse(call: Call): never {
  if (!call.user) throw new NotSignedIn();
  return fail('rest_forbidden');
}

type CheckedAccess = Extract<Access, { check: unknown }>;
type DataAccess = Exclude<Access, { check: unknown }>;

function allows(access: DataAccess, call: Call): boolean {
  if ('public' in access) return true;
  if ('secret' in access) return access.can === undefined || call.can(access.can);
  if (!call.user) return false;
  if ('signedIn' in access) return true;
  if ('can' in access) return call.can((call.single ? access.onSingleSite : undefined) ?? access.can);
  if ('canAny' in access) return access.canAny.some((name) => call.can(name));
  return access.canAll.every((name) => call.can(name));
}
