import type { Knex } from 'knex';
import type { Scope } from '../api/module.ts';
import { bumpRevision, wishOption } from './site-state.ts';

/** Whose wish it is: the network's, or with scope `site` that of the site. */
export interface WishPlace {
  readonly scope: Scope;
  readonly network_id: number;
  readonly blog_id: number;
}

/** Writes one wish (null removes it) and announces it, in the transaction that decided it. */
export async function writeWish(
  trx: Knex.Transaction,
  place: WishPlace,
  moduleId: string,
  wish: boolean | null,
): Promise<void> {
  const [table, owner] =
    place.scope === 'network'
      ? (['network_options', { network_id: place.network_id }] as const)
      : (['site_options', { blog_id: place.blog_id }] as const);
  const name = wishOption(moduleId);
  if (wish === null) {
    await trx(table)
      .where({ ...owner, name })
      .delete();
  } else {
    await trx(table)
      .insert({ ...owner, name, value: JSON.stringify(wish) })
      .onConflict([...Object.keys(owner), 'name'])
      .merge(['value']);
  }
  await bumpRevision(trx);
}

/** Ready sites of the network that follow its value: all but those with an override of their own. */
export async function countFollowers(sql: Knex, networkId: number, moduleId: string): Promise<number> {
  const row = await sql('sites as s')
    .leftJoin('site_options as o', (join) => {
      join.on('o.blog_id', 's.blog_id').andOnVal('o.name', wishOption(moduleId));
    })
    .where({ 's.network_id': networkId, 's.state': 'ready' })
    .whereNull('o.name')
    .count({ sites: '*' })
    .first();
  return Number(row?.sites ?? 0);
}
