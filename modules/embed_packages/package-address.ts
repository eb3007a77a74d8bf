import type { Package } from './package.ts';

/** Where the files are served, below those of the site. */
export const areaFolder = 'embed-packages';

type Addressed = Pick<Package, 'id' | 'token' | 'revision'>;

/** Address of all files of the package as it is now, with a slash at its end. */
export const filesUrl = (site: { readonly url: string }, { id, token, revision }: Addressed): string =>
  `${site.url}files/${areaFolder}/${id}-${token}/${revision}/`;

/** Address of one file of the package. */
export const fileUrl = (site: { readonly url: string }, of: Addressed, path: string): string =>
  filesUrl(site, of) + path.split('/').map(encodeURIComponent).join('/');

const form = /^([1-9]\d{0,9})-([0-9a-f]{32})\/([1-9]\d{0,8})\/(.+)$/s;

/** What an address below the folder asks for; null for none that was ever given out. */
export function readAddress(below: string) {
  const [, id, token = '', revision, path = ''] = form.exec(below) ?? [];
  if (id === undefined || path.endsWith('/')) return null;
  return { id: Number(id), token, revision: Number(revision), path };
}
