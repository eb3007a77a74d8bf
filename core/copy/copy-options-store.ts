import type { Knex } from 'knex';

export interface SiteOption {
  readonly name: string;
  readonly value: unknown;
}

const mostRows = 500;

/** Options of a site in the order of their names. */
export async function optionsAfter(sql: Knex, blogId: number, after: string): Promise<SiteOption[]> {
  return (await sql('site_options')
    .where({ blog_id: blogId })
    .whereRaw('name collate "C" > ?', [after])
    .orderByRaw('name collate "C"')
    .limit(mostRows)
    .select('name', 'value')) as SiteOption[];
}

/** Sets options of a site; those that it has already are replaced. */
export async function setOptions(
  trx: Knex.Transaction,
  blogId: number,
  options: readonly SiteOption[],
): Promise<void> {
  if (options.length === 0) return;
  await trx('site_options')
    .insert(options.map(({ name, value }) => ({ blog_id: blogId, name, value: JSON.stringify(value) })))
    .onConflict(['blog_id', 'name'])
    .merge(['value']);
}

/** Options in which a new site follows the main site of its network. */
export async function inheritedOptions(
  trx: Knex.Transaction,
  networkId: number,
  names: readonly string[],
): Promise<SiteOption[]> {
  return (await trx('site_options as o')
    .join('networks as n', 'n.root_blog_id', 'o.blog_id')
    .where('n.network_id', networkId)
    .whereIn('o.name', [...names])
    .select('o.name', 'o.value')) as SiteOption[];
}
