import { lockUntilCommit } from '@lyceum/core';
import type { Knex } from 'knex';
import type { License } from './license.ts';
import type { LicenseKeep } from './places.ts';

const placeOf = ({ network_id, blog_id }: LicenseKeep): LicenseKeep => ({ network_id, blog_id });

/**
 * Takes a seat of a signed key for a place, or keeps the one that it has; false when none is left.
 * @param seats 0: unlimited
 */
export async function takeSeat(
  trx: Knex.Transaction,
  productId: string,
  hash: Buffer,
  keep: LicenseKeep,
  seats: number,
): Promise<boolean> {
  const key = { product_id: productId, key_hash: hash };
  // Two places that take the last seat see each other only so: there is no row yet that both would lock.
  await lockUntilCommit(trx, `license seats ${productId} ${hash.toString('hex')}`);
  const taken = (await trx('license_seats').where(key).select('network_id', 'blog_id')) as LicenseKeep[];
  const has = taken.some((seat) => seat.network_id === keep.network_id && seat.blog_id === keep.blog_id);
  if (has) return true;
  if (seats > 0 && taken.length >= seats) return false;
  await trx('license_seats').insert({ ...key, ...placeOf(keep) });
  return true;
}

/** Gives back what a place has of the product's seats, but for those of one key. */
export async function giveSeatsBack(
  trx: Knex.Transaction,
  productId: string,
  keep: LicenseKeep,
  but: Buffer | null,
): Promise<void> {
  const query = trx('license_seats').where({ product_id: productId, ...placeOf(keep) });
  if (but) query.whereNot('key_hash', but);
  await query.delete();
}

/** Gives back every seat of a site. */
export async function giveSeatsOfSiteBack(trx: Knex.Transaction, site: LicenseKeep): Promise<void> {
  await trx('license_seats').where(placeOf(site)).delete();
}

export async function hasSeat(sql: Knex, { product_id, seat_hash, ...keep }: License): Promise<boolean> {
  const row: unknown = await sql('license_seats')
    .where({ product_id, key_hash: seat_hash, ...placeOf(keep) })
    .first('product_id');
  return row !== undefined;
}

/** How many seats are taken of each of these signed keys, by license. One statement. */
export async function countSeats(
  sql: Knex,
  licenses: readonly License[],
): Promise<ReadonlyMap<number, number>> {
  const signed = licenses.filter(({ seat_hash }) => seat_hash !== null);
  if (signed.length === 0) return new Map();
  const rows = (await sql('license_seats as s')
    .join('licenses as l', (join) => {
      join.on('l.product_id', 's.product_id').andOn('l.seat_hash', 's.key_hash');
    })
    .whereIn(
      'l.license_id',
      signed.map(({ license_id }) => license_id),
    )
    .groupBy('l.license_id')
    .select('l.license_id')
    .count({ used: '*' })) as { license_id: number; used: number }[];
  return new Map(rows.map(({ license_id, used }) => [license_id, Number(used)]));
}
