import { type Call, defineArea, defineModule, mimeOfExtension, Storage, sandboxPolicy } from '@lyceum/core';

/** What lies on the shelf of the site; `broken` is listed and not there. */
async function find(path: string, call: Call) {
  const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  const file_key = `sites/${call.site.blog_id}/shelf/${name}`;
  const facts =
    name === 'broken' ? { bytes: 1, modified: new Date(0) } : await call.get(Storage).stat(file_key);
  return (
    facts && {
      ...{
        file_key,
        bytes: facts.bytes,
        modified_at: facts.modified,
        etag: `${facts.bytes}`,
        filename: null,
      },
      mime_type: mimeOfExtension(name.split('.').at(-1) ?? ''),
      immutable: name.endsWith('.css'),
      policy: sandboxPolicy,
    }
  );
}

export default defineModule({
  id: 'test_shelf',
  title: 'Shelf',
  areas: [
    defineArea({
      id: 'test_shelf.files',
      title: 'Files on the shelf',
      folder: 'shelf',
      crossOrigin: true,
      headers: { 'Referrer-Policy': 'no-referrer' },
      find,
    }),
  ],
});
