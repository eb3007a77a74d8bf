import { type AreaFile, Database, defineArea, sandboxPolicy } from '@lyceum/core';
import { areaFolder } from './build.ts';
import { Builds } from './builds.ts';

const builds = /^([1-9]\d{0,8})-([0-9a-f]{32})\/(.*)$/;

/** Files of published revisions. Whoever knows the address of a build may read them, drafts included. */
export const publishedFiles = defineArea({
  id: 'static_builder.files',
  title: 'Built courses',
  folder: areaFolder,
  crossOrigin: true,
  // Files that no browser runs are in the sandbox, too.
  headers: { 'Content-Security-Policy': sandboxPolicy },
  find: async (path, call): Promise<AreaFile | null> => {
    const [, id, token, below] = builds.exec(path) ?? [];
    if (id === undefined || token === undefined || below === undefined) return null;
    const place = { id: Number(id), token, path: below === '' ? 'index.html' : below };
    const file = await call.get(Builds).parts.files.served(call.get(Database), call.site.blog_id, place);
    if (file === null) return null;
    return {
      file_key: file.file_key,
      bytes: file.bytes,
      modified_at: new Date(file.stored_at),
      mime_type: file.mime_type,
      etag: file.sha256.slice(0, 32),
      immutable: false,
      filename: null,
      policy: sandboxPolicy,
    };
  },
});
