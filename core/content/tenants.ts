import type { Knex } from 'knex';

export interface NewSite {
  readonly network_id: number;
  readonly domain: string;
  readonly path: string;
  readonly slug: string;
  readonly title: string;
  readonly description?: string;
  readonly public?: number;
  readonly status_id?: number | null;
  readonly is_template?: boolean;
  readonly state?: 'creating' | 'ready';
}

export interface NewNetwork {
  readonly domain: string;
  readonly path: string;
  readonly created_by: number | null;
}

/** Writes a site's row; a taken address violates `sites_address`. */
export async function insertSite(trx: Knex.Transaction, site: NewSite): Promise<number> {
  const [row] = (await trx('sites').insert(site).returning('blog_id')) as { blog_id: number }[];
  if (!row) throw new Error('The insertion of a site returned no row.');
  return row.blog_id;
}

/**
 * Writes a network with its root site and what every network begins with: the site category `general`.
 * @returns ids of the network and its root site
 */
export async function insertNetwork(
  trx: Knex.Transaction,
  network: NewNetwork,
  rootTitle: string,
): Promise<{ readonly network_id: number; readonly blog_id: number }> {
  const [row] = (await trx('networks').insert(network).returning('network_id')) as { network_id: number }[];
  if (!row) throw new Error('The insertion of a network returned no row.');
  const { network_id } = row;
  const { domain, path } = network;
  const blog_id = await insertSite(trx, { network_id, domain, path, slug: '', title: rootTitle });
  await trx('networks').where({ network_id }).update({ root_blog_id: blog_id });
  await trx('terms').insert({
    network_id,
    taxonomy: 'site_category',
    name: 'General',
    name_key: 'general',
    slug: 'general',
    names: JSON.stringify({ ru: 'Общие' }),
  });
  return { network_id, blog_id };
}
