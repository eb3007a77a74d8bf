import { randomBytes } from 'node:crypto';
import { extensionOf } from '../files/file-name.ts';
import { type Artifact, treeEntry } from './artifact.ts';

/** First segment of the addresses of artifacts below a site's `/files/`. */
export const artifactsSegment = 'artifacts';

export const newPlace = (): string => randomBytes(16).toString('hex');

/** The folder of a place in the storage. A copied site has the same places below its own folder. */
export const placeFolder = (blogId: number, place: string): string => `sites/${blogId}/artifacts/${place}`;

/** Where the content lies; of a tree the file that it is entered by. */
export function contentKey({
  blog_id,
  place,
  tree,
  name,
}: Pick<Artifact, 'blog_id' | 'place' | 'tree' | 'name'>): string {
  return `${placeFolder(blog_id, place)}/${tree ? treeEntry : plainFile(name)}`;
}

/** A single file; it keeps the extension when it is renamed. */
export function plainFile(name: string): string {
  const extension = extensionOf(name);
  return extension === '' ? 'file' : `file.${extension}`;
}

/** An address of an artifact, taken apart. */
export interface ArtifactAddress {
  readonly attachmentId: number;
  readonly token: string;
  readonly folder: string;
  /** First segment of the name. */
  readonly head: string;
  /** What follows it, in a tree; null for a single file. */
  readonly inner: string | null;
}

const base = /^([1-9]\d{0,9})-([0-9a-f]{32})$/;

/** Null for what is no address of an artifact. @param path below `/files/`, decoded and checked */
export function readArtifactPath(path: string): ArtifactAddress | null {
  const [segment, place = '', folder, head, ...inner] = path.split('/');
  const [, id = '', token = ''] = base.exec(place) ?? [];
  if (segment !== artifactsSegment || !id || !folder || !head) return null;
  const attachmentId = Number(id);
  if (attachmentId > 2_147_483_647) return null;
  return { attachmentId, token, folder, head, inner: inner.length > 0 ? inner.join('/') : null };
}
