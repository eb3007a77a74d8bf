import { type Actor, type Call, type SiteRef, Sites, type Token } from '@lyceum/core';

/** Who acts on a site and with what: made of a call, or of a job that acts for somebody. */
export interface SiteWork {
  readonly actor: Actor;
  get<T>(token: Token<T>): T;
  /** Slugs that the network keeps free. */
  readonly reserved: readonly string[];
  /** The network's main site. Jobs about sites that may go belong to it. */
  readonly main: SiteRef;
}

/** What a call's handler needs to act on sites of its network. */
export async function workOf(call: Call): Promise<SiteWork> {
  const { blog_id, network_id, is_main_site } = call.site;
  const root = is_main_site ? blog_id : (await call.get(Sites).networkPlace(network_id)).root_blog_id;
  return {
    actor: call,
    get: (token) => call.get(token),
    reserved: call.setting<string[]>('reserved_slugs'),
    main: { blog_id: root, network_id },
  };
}
