import type { Knex } from 'knex';
import type { Actor } from '../../api/actor.ts';
import { fail, isCoded } from '../../api/errors.ts';
import type { PageQuery } from '../../api/schema.ts';
import type { Database } from '../../db/database.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../../db/sql-errors.ts';
import { type Address, type Addresses, domainsOf } from '../../http/addresses.ts';
import { type InstalledModules, specs } from '../../registry/spec.ts';
import { optionOf } from '../../settings/setting-options.ts';
import { findNetworkPlace } from '../sites/site-store.ts';
import type { Sites } from '../sites/sites.ts';
import { type NetworkRecord, operatorNetworkId, type ShownNetwork, showNetwork } from './network-record.ts';
import { countReaches, findNetwork, isTaken, listNetworks, userExists } from './network-store.ts';
import {
  copyOptions,
  insertNetworkRow,
  insertSuperAdmins,
  seedNetwork,
  setOption,
} from './new-network-store.ts';

export interface NetworksParts {
  readonly db: Database;
  readonly addresses: Addresses;
  readonly sites: Sites;
  readonly modules: () => InstalledModules;
}

/** What a new network is to be. The address is normalised. */
export interface NetworkWish extends Address {
  /** Title of its root site. */
  readonly site_name: string;
  readonly network_name: string;
  /** Administrator of the root site and super admin. */
  readonly user_id: number;
  readonly clone_network_id: number;
  /** Names of the source's options; `site_admins` stands for its super admins. */
  readonly options_to_clone: readonly string[];
}

/** The networks of the installation. */
export class Networks {
  readonly #parts: NetworksParts;

  constructor(parts: NetworksParts) {
    this.#parts = parts;
  }

  /** @throws `network_not_found`, also for one that the user may not see */
  async get(
    userId: number,
    networkId: number | null,
    sql: Knex = this.#parts.db.knex,
  ): Promise<NetworkRecord> {
    const found = networkId === null ? null : await findNetwork(sql, userId, networkId);
    return found ?? fail('network_not_found');
  }

  /** One page of those that the user may see, by id. */
  list(
    userId: number,
    search: string | undefined,
    page: PageQuery,
  ): Promise<{ readonly networks: NetworkRecord[]; readonly total: number }> {
    return listNetworks(this.#parts.db.knex, userId, search, page);
  }

  show(network: NetworkRecord): ShownNetwork {
    return showNetwork(network, this.#parts.addresses);
  }

  /** Absolute address of the network's main site, which anybody may know. */
  async mainUrl(networkId: number): Promise<string> {
    const { db, addresses } = this.#parts;
    return addresses.site(await findNetworkPlace(db.knex, networkId));
  }

  /** Root site of the network whose settings and super admins count for the installation. */
  async operatorSite(sql: Knex): Promise<number> {
    return (await findNetworkPlace(sql, operatorNetworkId)).root_blog_id;
  }

  hasAsManyAs(limit: number, sql: Knex): Promise<boolean> {
    return countReaches(sql, limit);
  }

  userExists(userId: number, sql: Knex): Promise<boolean> {
    return userExists(sql, userId);
  }

  /**
   * Writes the network with its options, super admins and root site.
   * @throws `network_exists`; `network_super_admin` when the user was removed meanwhile
   */
  async create(trx: Knex.Transaction, actor: Actor, wish: NetworkWish): Promise<NetworkRecord> {
    const { domain, path, site_name, network_name, user_id, clone_network_id } = wish;
    if (await isTaken(trx, domainsOf(domain) ?? [domain], path)) fail('network_exists');
    const network_id = await insertNetworkRow(trx, {
      domain,
      path,
      created_by: actor.user?.id ?? null,
    }).catch(orExists);
    await this.#setOptions(trx, network_id, wish);
    const others = wish.options_to_clone.includes('site_admins') ? clone_network_id : null;
    await insertSuperAdmins(trx, network_id, user_id, others).catch(orGone);
    await seedNetwork(trx, network_id);
    const root = { network_id, title: site_name, user_id };
    const site = await this.#parts.sites.createMain(trx, actor, root).catch(orExists);
    return { network_id, domain, path, site_id: site.blog_id, site_name, network_name };
  }

  async #setOptions(trx: Knex.Transaction, networkId: number, wish: NetworkWish): Promise<void> {
    const names = wish.options_to_clone.filter((name) => name !== 'site_name');
    const secret = this.#secretOptions();
    await copyOptions(trx, { from: wish.clone_network_id, to: networkId, names, secret });
    await setOption(trx, networkId, 'site_name', wish.network_name);
  }

  /** Options of networks that hold a secret of some module. */
  #secretOptions(): string[] {
    return [...specs(this.#parts.modules())].flatMap((spec) =>
      Object.entries(spec.settings)
        .filter(([, setting]) => setting.secret && setting.scope === 'network')
        .map(([name, setting]) => optionOf(spec.id, name, setting)),
    );
  }
}

/** The address was taken since it was looked at, by a network or by a site. */
function orExists(error: unknown): never {
  const isTakenNow = isUniqueViolation(error, 'networks_domain_path_key') || isCoded(error, 'site_exists');
  if (isTakenNow) fail('network_exists');
  throw error;
}

function orGone(error: unknown): never {
  if (isForeignKeyViolation(error)) fail('network_super_admin');
  throw error;
}
