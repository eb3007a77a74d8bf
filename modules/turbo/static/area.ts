import { type AreaFile, type Call, defineArea } from '@lyceum/core';
import { areaFolder, entryName, folderKey, scriptName } from './static-record.ts';
import { StaticStore } from './static-store.ts';

const address = /^([0-9a-f]{32})\/(.*)$/s;
const hostForm = /^[a-z0-9.-]{1,253}(:\d{1,5})?$|^\[[0-9a-f:.]{2,45}\](:\d{1,5})?$/;

/** Pages by other people stand here in the origin of the API: nothing of them runs but the module's own script. */
export const area = defineArea({
  id: 'turbo.pages',
  title: 'Static pages',
  folder: areaFolder,
  crossOrigin: false,
  find: async (path, call): Promise<AreaFile | null> => {
    const [, folder = '', rest = ''] = address.exec(path) ?? [];
    if (folder === '') return null;
    const name = rest === '' ? entryName : rest;
    const file = await call.get(StaticStore).file(call.site.blog_id, folder, name, call.now());
    return (
      file && {
        file_key: `${folderKey(call.site.blog_id, folder)}/${name}`,
        bytes: file.bytes,
        modified_at: new Date(file.built_at),
        mime_type: file.mime_type,
        etag: file.sha256.slice(0, 32),
        // A page that is no longer published must be gone from caches, too.
        immutable: false,
        filename: null,
        policy: isOwn(name) ? policyOf(call, folder) : null,
      }
    );
  },
});

const isOwn = (name: string): boolean => name === entryName || name === scriptName;

function policyOf(call: Call, folder: string): string {
  const scripts = originsOf(call).map(
    (origin) => new URL(`files/${areaFolder}/${folder}/${scriptName}`, origin).href,
  );
  return [
    "default-src 'self' https: data: blob:",
    `script-src ${scripts.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** The site under its stored address, and under the name of the host that was asked, should that be another one. */
function originsOf(call: Call): string[] {
  const { site } = call;
  const host = call.header('host').toLowerCase();
  if (!hostForm.test(host)) return [site.url];
  const asked = new URL(site.url);
  asked.host = host;
  return [...new Set([site.url, asked.href])];
}
