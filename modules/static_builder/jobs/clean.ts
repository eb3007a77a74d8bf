import { Database, defineJob, Storage } from '@lyceum/core';
import { storageFolder } from '../build.ts';
import { Builds } from '../builds.ts';

/** Keys that one statement asks for. */
const batch = 500;

interface Cleaning {
  readonly build_id: number;
  /** All below it goes. */
  readonly folder?: string;
  /** What no revision needs goes, as far as runs up to this one stored it. */
  readonly revision?: number;
}

/** Removes files that nobody can reach any more. Runs that are at work store under later numbers. */
export const clean = defineJob<Cleaning>({
  id: 'static_builder.clean',
  title: 'Remove files of builds that nobody needs',
  cancellable: false,
  run: async (job) => {
    const { payload, site, signal } = job;
    const storage = job.get(Storage);
    const { build_id, folder, revision } = payload;
    if (folder !== undefined) {
      // Keys are made by the host; a payload is not where to learn of other sites' ones.
      if (folder.startsWith(`sites/${site.blog_id}/static-builds/${build_id}-`))
        await storage.removeFolder(folder);
      return { removed: 'folder' };
    }
    const { files, store } = job.get(Builds).parts;
    const { knex } = job.get(Database);
    const build = await store.find(knex, site.blog_id, build_id);
    if (!build || revision === undefined) return { removed: 0 };
    const root = `${storageFolder(build)}/`;
    const revisionOf = (key: string): number => Number(key.slice(root.length).split('/', 1)[0]);
    let removed = 0;
    let keys: string[] = [];
    const sweep = async (): Promise<void> => {
      signal.throwIfAborted();
      const needed = await files.needed(knex, build_id, keys);
      for (const key of keys.filter((one) => !needed.has(one))) {
        await storage.remove(key);
        removed += 1;
      }
      keys = [];
    };
    for await (const { key } of storage.list(root.slice(0, -1))) {
      if (!(revisionOf(key) <= revision)) continue;
      keys.push(key);
      if (keys.length >= batch) await sweep();
    }
    await sweep();
    return { removed };
  },
});
