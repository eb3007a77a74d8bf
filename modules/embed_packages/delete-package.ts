import { type Call, Database, fail, Jobs } from '@lyceum/core';
import { auditPackage } from './audit-package.ts';
import { lockPackage } from './find-package.ts';
import { removeFilesJob } from './jobs/remove-files-job.ts';
import { PackageContents } from './package-contents.ts';
import { PackageStore } from './package-store.ts';

/**
 * The rows go at once, and with them every address; the files by a job. Pages that show the package stay bound.
 * @throws `embed_packages_not_found`, `embed_packages_delete_failed`
 */
export function deletePackage(call: Call, id: number): Promise<{ deleted: true; id: number }> {
  return call.get(Database).transaction(async (trx) => {
    const row = await lockPackage(trx, call, id);
    if (!(await call.get(PackageStore).remove(trx, id))) fail('embed_packages_delete_failed');
    const { folder } = await call.get(PackageContents).discard(trx, row, 'all');
    const job = { type: removeFilesJob, payload: { folder }, site: call.site, userId: null };
    await call.get(Jobs).enqueue(trx, { ...job, startAfterSeconds: 0 });
    await auditPackage(trx, call, 'delete', row, { title: row.title });
    return { deleted: true, id };
  });
}
