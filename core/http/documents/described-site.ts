import type { Addresses } from '../addresses.ts';
import type { Exchange } from '../exchange.ts';

/** What the API's descriptions say of the site whose API they describe. */
export interface DescribedSite {
  readonly blogId: number;
  readonly networkId: number;
  readonly title: string;
  readonly description: string;
  /** Absolute, with a slash at the end. */
  readonly url: string;
  /** Path of the API's root on the site's host, without a slash at the end. */
  readonly apiPath: string;
  /** `subdirectory`, `subdomain` or `off`. */
  readonly multisite: string;
}

export function describedSite({ identity, state }: Exchange, addresses: Addresses): DescribedSite {
  const description = state.siteOptions.get('description');
  return {
    blogId: identity.blog_id,
    networkId: identity.network_id,
    title: identity.title,
    description: typeof description === 'string' ? description : '',
    url: addresses.site(identity),
    apiPath: `${identity.path}${addresses.apiRoot}`,
    multisite: addresses.multisite,
  };
}
