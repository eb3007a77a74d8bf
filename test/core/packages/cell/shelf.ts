import { defineArea } from '@lyceum/core';

export const shelf = defineArea({
  id: 'test_cell.files',
  title: 'Files',
  folder: 'cell',
  crossOrigin: false,
  find: (path, call) =>
    path === 'note.txt'
      ? {
          ...{ file_key: `sites/${call.site.blog_id}/note.txt`, bytes: 4, modified_at: new Date(0) },
          ...{ mime_type: 'text/plain', etag: 'note', immutable: false, filename: null, policy: null },
        }
      : null,
});
