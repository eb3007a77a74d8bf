import type { Knex } from 'knex';
import type { Address } from '../http/addresses.ts';

/** A site that is being made. */
export interface Target extends Address {
  readonly blog_id: number;
  readonly network_id: number;
}

/** The site while it is being made, its row locked until the transaction ends; null once it is whole or gone. */
export async function lockTarget(trx: Knex.Transaction, blogId: number): Promise<Target | null> {
  const row = await trx('sites')
    .where({ blog_id: blogId, state: 'creating' })
    .forUpdate()
    .first('blog_id', 'network_id', 'domain', 'path');
  return (row as Target | undefined) ?? null;
}

export async function findTarget(sql: Knex, blogId: number): Promise<Target | null> {
  const row = await sql('sites')
    .where({ blog_id: blogId, state: 'creating' })
    .first('blog_id', 'network_id', 'domain', 'path');
  return (row as Target | undefined) ?? null;
}

/** From now on requests see the site. */
export async function markTargetReady(trx: Knex.Transaction, blogId: number): Promise<void> {
  await trx('sites')
    .where({ blog_id: blogId })
    .update({ state: 'ready', last_updated: trx.raw('clock_timestamp()') });
}

/** Removes the row of a site that never was whole. */
export async function removeTarget(trx: Knex.Transaction, blogId: number): Promise<void> {
  await trx('sites').where({ blog_id: blogId, state: 'creating' }).delete();
}

/** Removes a site of which there is no more than what reserved it. */
export async function removeReserved(trx: Knex.Transaction, blogId: number): Promise<void> {
  for (const table of ['site_terms', 'site_options']) await trx(table).where({ blog_id: blogId }).delete();
  await removeTarget(trx, blogId);
}

/** Its address is free for others from now on; what there is of it is removed later. */
export async function freeAddress(trx: Knex.Transaction, blogId: number): Promise<void> {
  // No host has an empty name, and no two sites one id.
  await trx('sites')
    .where({ blog_id: blogId, state: 'creating' })
    .update({ domain: '', path: `/${blogId}/`, slug: '' });
}

/** Who caused a job, as audit rows name him; null for the host and for one who was removed. */
export async function findActorUser(
  sql: Knex,
  userId: number | null,
): Promise<{ readonly id: number; readonly login: string } | null> {
  if (userId === null) return null;
  return (
    ((await sql('users').where('id', userId).first('id', 'login')) as { id: number; login: string }) ?? null
  );
}
