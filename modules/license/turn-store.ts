import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { LicenseKeep } from './places.ts';

/** Seconds without a sign of life after which whoever changes a license is believed gone. */
export const turnSeconds = 5;

const until = (sql: Knex) => sql.raw('now() + make_interval(secs => ?)', [turnSeconds]);

/** Takes the turn to change the license of a product; null while somebody else has it. One statement. */
export async function takeTurn(sql: Knex, keep: LicenseKeep, productId: string): Promise<string | null> {
  const token = randomUUID();
  const [row] = (await sql('license_turns')
    .insert({
      network_id: keep.network_id,
      blog_id: keep.blog_id,
      product_id: productId,
      token,
      until: until(sql),
    })
    .onConflict(['network_id', 'blog_id', 'product_id'])
    .merge(['token', 'until'])
    .whereRaw('license_turns.until < now()')
    .returning('token')) as { token: string }[];
  return row?.token === token ? token : null;
}

/** A sign of life. */
export async function keepTurn(sql: Knex, token: string): Promise<void> {
  await sql('license_turns')
    .where({ token })
    .update({ until: until(sql) });
}

/** Whether the turn is still this one; if so it stays so until the transaction ends. */
export async function holdTurn(trx: Knex.Transaction, token: string): Promise<boolean> {
  const row: unknown = await trx('license_turns').where({ token }).forUpdate().first('token');
  return row !== undefined;
}

export async function endTurn(sql: Knex, token: string): Promise<void> {
  await sql('license_turns').where({ token }).delete();
}
