import { defineJob, deleteFileJob, TransientFailure, UnclaimedFiles } from '@lyceum/core';

export const deleteFile = defineJob<{ readonly file_key: string }>({
  id: deleteFileJob,
  title: 'Removing a file that its attachment has no more',
  lane: 'quick',
  cancellable: false,
  run: async (job) => {
    try {
      await job.get(UnclaimedFiles).remove(job.payload.file_key);
    } catch (error) {
      throw new TransientFailure('The file storage failed.', { cause: error });
    }
    return {};
  },
});
