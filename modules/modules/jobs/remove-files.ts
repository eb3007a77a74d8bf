import { defineJob, Storage, TransientFailure } from '@lyceum/core';

/** Files of a module whose data were removed. */
export interface RemoveFilesPayload {
  readonly keys: readonly string[];
  readonly folders: readonly string[];
}

/** How much one job has to do: its payload is a row. */
export const filesPerJob = 1_000;

const atOnce = 8;

/** Removes each, some at a time; what is gone already is no matter. */
async function removeEach(names: readonly string[], remove: (name: string) => Promise<void>): Promise<void> {
  for (let at = 0; at < names.length; at += atOnce) {
    await Promise.all(names.slice(at, at + atOnce).map(remove));
  }
}

export const removeFiles = defineJob<RemoveFilesPayload>({
  id: 'modules.remove-files',
  title: 'Remove files of a module',
  cancellable: false,
  run: async (job) => {
    const storage = job.get(Storage);
    const { keys, folders } = job.payload;
    try {
      await removeEach(keys, (key) => storage.remove(key));
      await removeEach(folders, (folder) => storage.removeFolder(folder));
    } catch (error) {
      throw new TransientFailure('The file storage failed.', { cause: error });
    }
    return { keys: keys.length, folders: folders.length };
  },
});
