import { type Call, SettingsService, State } from '@lyceum/core';

/** Slugs that the network keeps free, wherever sites are made; none where the module that knows them is away. */
export function reservedSlugs(call: Call): readonly string[] {
  const spec = call.get(State).modules.get('site_manager')?.spec;
  if (!spec) return [];
  return (call.get(SettingsService).value(spec, 'reserved_slugs', call.state) ?? []) as readonly string[];
}
