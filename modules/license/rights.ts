import { type Access, type Call, fail, type Scope } from '@lyceum/core';

/** Administrators of the network, or of the site; the scope decides which of them may. */
export const administrators: Access = { canAny: ['manage_network_options', 'manage_options'] };

/**
 * The scope that a call is about, which its caller may see.
 * @throws `rest_forbidden`
 */
export function scopeToRead(call: Call, asked: Scope | undefined): Scope {
  const scope = asked ?? (call.can('manage_network_options') ? 'network' : 'site');
  const needed = scope === 'network' && !call.single ? 'manage_network_options' : 'manage_options';
  return call.can(needed) ? scope : fail('rest_forbidden');
}

/**
 * The scope that a call is about, in which its caller may change licenses.
 * @throws `rest_forbidden`
 */
export function scopeToChange(call: Call, asked: Scope | undefined): Scope {
  const scope = scopeToRead(call, asked);
  const isSites = scope === 'site' && !call.single;
  return isSites && !call.setting<boolean>('allow_site_licenses') ? fail('rest_forbidden') : scope;
}
