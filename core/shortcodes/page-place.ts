import type { Caller } from '../api/call.ts';
import type { PageSite } from '../api/shortcode.ts';
import type { SiteState } from '../state/site-state.ts';

/** Where a page stands: its site, and which modules are on there. A call is one. */
export interface PagePlace {
  readonly site: PageSite;
  readonly state: SiteState;
}

/** Who looks at a page. A call is one. */
export interface PageReader {
  readonly user: Caller | null;
  can(capability: string): boolean;
}

/** For what is rendered once for everybody. */
export const nobody: PageReader = { user: null, can: () => false };
