import { type Call, SettingsService } from '@lyceum/core';

/** As many as the desktop studio keeps; so many where that module is not installed. */
const usual = 20;

/** States of each document that remain. The setting is that of the desktop studio: the revisions are the same. */
export function revisionsKept(call: Pick<Call, 'state' | 'get'>): number {
  const spec = call.state.modules.get('studio_sync')?.spec;
  if (!spec) return usual;
  return call.get(SettingsService).value(spec, 'revisions_keep', call.state) as number;
}
