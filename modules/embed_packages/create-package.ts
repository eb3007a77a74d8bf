import { randomBytes } from 'node:crypto';
import { type Call, CodedError, callerOf, Database } from '@lyceum/core';
import type { Knex } from 'knex';
import { auditPackage } from './audit-package.ts';
import type { StoredContent } from './content.ts';
import type { GivenContent } from './given-content.ts';
import { freeSlug } from './name-package.ts';
import type { Package } from './package.ts';
import { PackageContents, StorageFailure } from './package-contents.ts';
import { PackageStore } from './package-store.ts';
import { presentPackage, type ShownPackage } from './present-package.ts';

/** A package as it is wished for; without content it is empty. */
export interface PackageWish {
  readonly title: string;
  readonly slug: string | undefined;
  readonly content: GivenContent | null;
}

/** @throws `embed_packages_invalid_zip`, `embed_packages_no_entry`, `embed_packages_create_failed` */
export async function createPackage(call: Call, wish: PackageWish): Promise<ShownPackage> {
  const { blog_id: blogId } = call.site;
  const db = call.get(Database);
  const contents = call.get(PackageContents);
  const owner = { blogId, packageId: await call.get(PackageStore).nextId(db.knex) };
  const content = wish.content && (await store(call, owner, wish.content));
  try {
    const row = await db.transaction((trx) => insert(trx, call, owner.packageId, wish, content));
    return await presentPackage(call, row);
  } catch (error) {
    if (content) await contents.takeBack(owner, content.place);
    throw error;
  }
}

async function store(
  call: Call,
  owner: { readonly blogId: number; readonly packageId: number },
  given: GivenContent,
): Promise<StoredContent> {
  try {
    return await call.get(PackageContents).store(owner, given, call.signal);
  } catch (error) {
    if (error instanceof StorageFailure)
      throw new CodedError('embed_packages_create_failed', { cause: error });
    throw error;
  }
}

async function insert(
  trx: Knex.Transaction,
  call: Call,
  id: number,
  wish: PackageWish,
  content: StoredContent | null,
): Promise<Package> {
  const packages = call.get(PackageStore);
  const { blog_id } = call.site;
  const row = await packages.insert(trx, {
    id,
    blog_id,
    title: wish.title,
    slug: await freeSlug(trx, packages, { blogId: blog_id, id }, wish.slug || wish.title),
    source: content?.source ?? 'none',
    entry: content?.entry ?? null,
    revision: content ? 1 : 0,
    place: content?.place ?? null,
    files: content?.files.length ?? 0,
    bytes: content?.bytes ?? 0,
    content_hash: content?.hash ?? null,
    token: randomBytes(16).toString('hex'),
    author_id: callerOf(call).id,
  });
  if (content && !(await call.get(PackageContents).show(trx, row, content))) {
    throw new CodedError('embed_packages_create_failed', { message: 'The content took too long to store.' });
  }
  await auditPackage(trx, call, 'create', row, { title: row.title, files: row.files, bytes: row.bytes });
  call.signal.throwIfAborted();
  return row;
}
