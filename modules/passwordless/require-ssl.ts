import { type Call, fail } from '@lyceum/core';

/** Throws where a code must not travel in clear: always, or when the site's own address is an encrypted one. */
export function requireSsl(call: Call): void {
  const rule = call.setting<'auto' | 'always' | 'never'>('require_ssl');
  const required = rule === 'always' || (rule === 'auto' && call.currentSite.url.startsWith('https:'));
  if (required && !call.https) fail('svcplatform_pin_ssl');
}
