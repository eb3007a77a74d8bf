import { type Call, CodedError, Database, Jobs } from '@lyceum/core';
import type { Knex } from 'knex';
import { auditPackage } from './audit-package.ts';
import type { StoredContent } from './content.ts';
import { findPackage, lockPackage } from './find-package.ts';
import type { GivenContent } from './given-content.ts';
import { removeFilesJob } from './jobs/remove-files-job.ts';
import type { Package } from './package.ts';
import { PackageContents, StorageFailure, supersededMs } from './package-contents.ts';
import { PackageStore } from './package-store.ts';
import { presentPackage, type ShownPackage } from './present-package.ts';

/**
 * Puts new content into a package: stored beside the old, then switched in one transaction. What the package has
 * already changes nothing.
 * @throws `embed_packages_not_found`, `embed_packages_invalid_zip`, `embed_packages_no_entry`, `storage_unavailable`
 */
export async function replaceContent(call: Call, id: number, given: GivenContent): Promise<ShownPackage> {
  const before = await findPackage(call, id);
  if (before.content_hash === given.hash) return presentPackage(call, before);
  const owner = { blogId: before.blog_id, packageId: id };
  const contents = call.get(PackageContents);
  const content = await contents.store(owner, given, call.signal).catch((error: unknown) => {
    if (error instanceof StorageFailure) throw new CodedError('storage_unavailable', { cause: error });
    throw error;
  });
  try {
    const { row, isNew } = await call.get(Database).transaction((trx) => put(trx, call, id, content));
    if (!isNew) await contents.takeBack(owner, content.place);
    return await presentPackage(call, row);
  } catch (error) {
    await contents.takeBack(owner, content.place);
    throw error;
  }
}

interface Put {
  readonly row: Package;
  readonly isNew: boolean;
}

async function put(trx: Knex.Transaction, call: Call, id: number, content: StoredContent): Promise<Put> {
  const contents = call.get(PackageContents);
  const before = await lockPackage(trx, call, id);
  if (before.content_hash === content.hash) return { row: before, isNew: false };
  const { source, entry, place, bytes, hash, files } = content;
  const row = await call.get(PackageStore).update(trx, id, {
    ...{ source, entry, place, bytes },
    revision: before.revision + 1,
    files: files.length,
    content_hash: hash,
  });
  if (!(await contents.show(trx, row, content))) {
    throw new CodedError('storage_unavailable', { message: 'The content took too long to store.' });
  }
  if (before.place !== null) {
    const remains = await contents.discard(trx, before, 'revision');
    await call.get(Jobs).enqueue(trx, {
      type: removeFilesJob,
      payload: { folder: remains.folder },
      site: call.site,
      userId: null,
      startAfterSeconds: supersededMs / 1000,
    });
  }
  const { revision } = row;
  await auditPackage(trx, call, 'content', row, { revision, files: row.files, bytes: row.bytes });
  call.signal.throwIfAborted();
  return { row, isNew: true };
}
