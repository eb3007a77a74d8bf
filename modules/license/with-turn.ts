import { type Database, fail } from '@lyceum/core';
import type { Place } from './places.ts';
import { endTurn, keepTurn, takeTurn, turnSeconds } from './turn-store.ts';

/**
 * Does work while nobody else changes the license of the place. No connection is held meanwhile: servers are slow.
 * @throws `license_busy`
 */
export async function withTurn<T>(
  db: Database,
  { keep, product }: Place,
  work: (turn: string) => Promise<T>,
): Promise<T> {
  const turn = await takeTurn(db.knex, keep, product.product_id);
  if (turn === null) return fail('license_busy');
  const beat = setInterval(
    () => {
      // A beat that was missed may cost the turn: then the work stores nothing.
      keepTurn(db.knex, turn).catch(() => undefined);
    },
    (turnSeconds * 1000) / 3,
  );
  try {
    return await work(turn);
  } finally {
    clearInterval(beat);
    await endTurn(db.knex, turn);
  }
}
