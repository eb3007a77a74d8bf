import { type Call, Database, fail, matchesEtag } from '@lyceum/core';
import type { Knex } from 'knex';
import { auditPackage } from './audit-package.ts';
import { ContentStore } from './content-store.ts';
import { lockPackage } from './find-package.ts';
import { freeSlug } from './name-package.ts';
import type { Package } from './package.ts';
import { type NewPackage, PackageStore } from './package-store.ts';
import { packageEtag, presentPackage, type ShownPackage } from './present-package.ts';

export interface PackageChanges {
  readonly title?: string | undefined;
  readonly slug?: string | undefined;
  readonly entry?: string | undefined;
}

/**
 * @param ifMatch the validator that the client's package had; empty when it does not matter
 * @throws `embed_packages_not_found`, `embed_packages_no_entry`, `precondition_failed`
 */
export function updatePackage(
  call: Call,
  id: number,
  changes: PackageChanges,
  ifMatch: string,
): Promise<ShownPackage> {
  return call.get(Database).transaction(async (trx) => {
    const before = await lockPackage(trx, call, id);
    const present = await presentPackage(call, before, trx);
    if (ifMatch !== '' && !matchesEtag(ifMatch, packageEtag(present))) fail('precondition_failed');
    const columns = await changed(trx, call, before, changes);
    if (Object.keys(columns).length === 0) return present;
    const row = await call.get(PackageStore).update(trx, id, columns);
    await auditPackage(trx, call, 'update', row, columns);
    return presentPackage(call, row, trx);
  });
}

/** The columns that really change. */
async function changed(
  trx: Knex.Transaction,
  call: Call,
  before: Package,
  { title, slug, entry }: PackageChanges,
): Promise<Partial<NewPackage>> {
  const { id, blog_id: blogId } = before;
  if (entry !== undefined && !(await call.get(ContentStore).hasDocument(trx, before, entry))) {
    fail('embed_packages_no_entry', { message: 'The package has no such document.' });
  }
  const wanted = {
    title: title ?? before.title,
    slug:
      slug === undefined
        ? before.slug
        : await freeSlug(trx, call.get(PackageStore), { blogId, id }, slug || (title ?? before.title)),
    entry: entry ?? before.entry,
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => before[name as keyof typeof wanted] !== value),
  );
}
