import type { Knex } from 'knex';
import { insertSite } from '../sites/new-site-store.ts';
import { setRootSite } from '../sites/site-store.ts';

export interface NewNetwork {
  readonly domain: string;
  readonly path: string;
  readonly created_by: number | null;
}

/** Writes a network's row, without root site; a taken address violates `networks_domain_path_key`. */
export async function insertNetworkRow(trx: Knex.Transaction, network: NewNetwork): Promise<number> {
  const [row] = (await trx('networks').insert(network).returning('network_id')) as { network_id: number }[];
  if (!row) throw new Error('The insertion of a network returned no row.');
  return row.network_id;
}

/** What every network begins with: the site category `general`. */
export async function seedNetwork(trx: Knex.Transaction, networkId: number): Promise<void> {
  await trx('terms').insert({
    network_id: networkId,
    taxonomy: 'site_category',
    name: 'General',
    name_key: 'general',
    slug: 'general',
    names: JSON.stringify({ ru: 'Общие' }),
  });
}

/**
 * Writes the bare rows of a network and its root site, without anybody in it.
 * @returns ids of both
 */
export async function insertNetwork(
  trx: Knex.Transaction,
  network: NewNetwork,
  rootTitle: string,
): Promise<{ readonly network_id: number; readonly blog_id: number }> {
  const network_id = await insertNetworkRow(trx, network);
  await seedNetwork(trx, network_id);
  const { domain, path } = network;
  const blog_id = await insertSite(trx, { network_id, domain, path, slug: '', title: rootTitle });
  await setRootSite(trx, network_id, blog_id);
  return { network_id, blog_id };
}

/** Named options of one network, copied into another. */
export interface OptionCopy {
  readonly from: number;
  readonly to: number;
  readonly names: readonly string[];
  /** Names that are never copied. */
  readonly secret: readonly string[];
}

/** Copies options that the source has set; an encrypted value stays where it is, whatever its name. */
export async function copyOptions(
  trx: Knex.Transaction,
  { from, to, names, secret }: OptionCopy,
): Promise<void> {
  await trx.raw(
    `insert into network_options (network_id, name, value)
    select ?, o.name, o.value from network_options o
    where o.network_id = ? and o.name = any(?::text[]) and not o.name = any(?::text[])
      and not jsonb_path_exists(o.value, '$.**.sealed')`,
    [to, from, [...names], [...secret]],
  );
}

export async function setOption(
  trx: Knex.Transaction,
  networkId: number,
  name: string,
  value: unknown,
): Promise<void> {
  await trx('network_options').insert({ network_id: networkId, name, value: JSON.stringify(value) });
}

/**
 * Makes the user, and the super admins of another network where one is given, super admins of this one.
 * A user that is gone violates a foreign key.
 */
export async function insertSuperAdmins(
  trx: Knex.Transaction,
  networkId: number,
  userId: number,
  alsoThoseOf: number | null,
): Promise<void> {
  await trx.raw(
    `insert into super_admins (network_id, user_id)
    select cast(:network as integer), cast(:user as integer)
    union select cast(:network as integer), a.user_id from super_admins a where a.network_id = cast(:source as integer)`,
    { network: networkId, user: userId, source: alsoThoseOf },
  );
}
