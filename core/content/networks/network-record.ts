import type { Addresses } from '../../http/addresses.ts';

/** The network whose super admins run the installation. */
export const operatorNetworkId = 1;

/** A network with what is shown of its root site. */
export interface NetworkRecord {
  readonly network_id: number;
  readonly domain: string;
  readonly path: string;
  /** The root site. */
  readonly site_id: number;
  /** Title of the root site. */
  readonly site_name: string;
  /** The network's option `site_name`. */
  readonly network_name: string;
}

/** A network with its absolute addresses. */
export interface ShownNetwork extends NetworkRecord {
  readonly admin_url: string;
  readonly site_url: string;
}

/** A network as clients see it. */
export const showNetwork = (network: NetworkRecord, addresses: Addresses): ShownNetwork => ({
  ...network,
  admin_url: `${addresses.admin(network)}network/`,
  site_url: addresses.site(network),
});
