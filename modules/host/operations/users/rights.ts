import { type Call, CapabilityTable, callerOf, fail, invalidParams, readId } from '@lyceum/core';
import { isEmailDomainAllowed } from '../../email-domains.ts';

/** Whether the caller may write any account; a single site has no network whose users could be managed. */
export const mayManageUsers = (call: Call): boolean =>
  call.can(call.single ? 'create_users' : 'manage_network_users');

/** The id that a path names: `me`, or digits; null for what can be no id. */
export const pathId = (text: string, call: Call): number | null =>
  text === 'me' ? callerOf(call).id : readId(text);

/** Whether the path names the caller himself. */
export const isOneself = (call: Call, text: string): boolean =>
  call.user !== null && pathId(text, call) === call.user.id;

/** Refuses a role that holds what the caller does not; null gives none away. */
export function refuseUngrantable(call: Call, role: string | null): void {
  if (!call.can('promote_users')) fail('rest_forbidden');
  const caller = callerOf(call);
  const grantable = call.get(CapabilityTable).grantable(caller.role, caller.super_admin);
  if (role !== null && !grantable.includes(role)) fail('rest_forbidden');
}

/** Refuses an address whose domain, or one above it, is banned, or which is none of those that may register. */
export function refuseEmailDomain(call: Call, email: string): void {
  const banned = call.setting<readonly string[]>('banned_email_domains');
  const limited = call.setting<readonly string[]>('limited_email_domains');
  if (!isEmailDomainAllowed(email, banned, limited)) invalidParams({ email: 'must not be of this domain' });
}
