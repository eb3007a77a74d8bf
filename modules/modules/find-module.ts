import { type Call, fail, type InstalledModule, type SiteState, State } from '@lyceum/core';

/** The installed module of this id, or 404; ids are looked up in a map, so any text may be asked for. */
export function findModule(call: Call, id: string): InstalledModule {
  return call.get(State).modules.get(id) ?? fail('module_not_found');
}

/** The state of the call's site as of now. */
export async function stateNow(call: Call): Promise<SiteState> {
  const state = await call.get(State).read(call.site.blog_id);
  return state ?? fail('site_not_found');
}
