import { defineArea } from '@lyceum/core';
import { folder } from './file-place.ts';
import { FileStore } from './stores/file-store.ts';

/** Files of projects: public, each under an address that has its hash, so that it never gives other bytes. */
export const fileArea = defineArea({
  id: 'local_sync.files',
  title: 'Files of local projects',
  folder,
  crossOrigin: true,
  find: async (path, call) => {
    const file = await call.get(FileStore).served(call.site.blog_id, path);
    return (
      file && {
        file_key: file.file_key,
        bytes: file.bytes,
        modified_at: new Date(file.stored_at),
        mime_type: file.mime_type,
        etag: file.sha256.slice(0, 32),
        immutable: true,
        filename: null,
        policy: null,
      }
    );
  },
});
