import { firstFree, lockUntilCommit, maxSlug, numberedSlug, sanitizeSlug } from '@lyceum/core';
import type { Knex } from 'knex';
import type { PackageStore } from './package-store.ts';

/** A slug that no other package of the site has; of two who ask at once the second waits for the first. */
export async function freeSlug(
  trx: Knex.Transaction,
  store: PackageStore,
  { blogId, id }: { readonly blogId: number; readonly id: number },
  wanted: string,
): Promise<string> {
  await lockUntilCommit(trx, `embed_packages slugs ${blogId}`);
  const base = sanitizeSlug(wanted, maxSlug) || `package-${id}`;
  return firstFree(
    (number) => numberedSlug(base, number),
    (slugs) => store.takenSlugs(trx, blogId, slugs, id),
  );
}
