import { defineJob, type JobRun, Storage } from '@lyceum/core';
import { type ImportPayload, importKey } from '../import/import-payload.ts';
import { runImport } from '../import/run-import.ts';

/** Nobody needs the file any more, however the import ended. */
const removeFile = (job: JobRun<ImportPayload>): Promise<void> =>
  job.get(Storage).remove(importKey(job.site.blog_id, job.payload));

export const importJob = defineJob<ImportPayload>({
  id: 'host.import',
  title: 'Import of a WordPress export',
  errors: ['import_bad_xml', 'import_forbidden_xml', 'import_not_wxr'],
  run: async (job) => {
    const result = await runImport(job);
    await removeFile(job);
    return result;
  },
  // What came in stays, as its owner may wish; importing again goes on from there.
  undo: removeFile,
});
