import { timingSafeEqual } from 'node:crypto';
import { defineArea, maxId, sandboxPolicy } from '@lyceum/core';
import { ContentStore } from './content-store.ts';
import { packageFolder } from './package.ts';
import { areaFolder, readAddress } from './package-address.ts';

/** Files of packages, each under a policy that takes its scripts every right over the platform. */
export const packageFiles = defineArea({
  id: 'embed_packages.files',
  title: 'Files of packages',
  folder: areaFolder,
  crossOrigin: true,
  headers: { 'Referrer-Policy': 'no-referrer', 'Content-Security-Policy': sandboxPolicy },
  find: async (below, call) => {
    const asked = readAddress(below);
    if (asked === null || asked.id > maxId) return null;
    const { blog_id } = call.site;
    const found = await call.get(ContentStore).served(blog_id, asked.id, asked.revision, asked.path);
    if (!found || !timingSafeEqual(Buffer.from(found.token), Buffer.from(asked.token))) return null;
    return {
      file_key: `${packageFolder(blog_id, asked.id)}/${found.file_key}`,
      bytes: found.bytes,
      modified_at: new Date(found.stored_at),
      mime_type: found.mime_type,
      etag: found.file_key.replace('/', '-'),
      immutable: true,
      filename: null,
      policy: sandboxPolicy,
    };
  },
});
