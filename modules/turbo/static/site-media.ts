import { createHash } from 'node:crypto';
import { type ArtifactFiles, type FoundUrl, readServedPath, type SiteFiles } from '@lyceum/core';

/** A stored file that a page names. */
export interface NamedMedia {
  readonly file_key: string;
  readonly bytes: number;
  /** 64 hex digits; null where only its bytes can tell. */
  readonly sha256: string | null;
  readonly mime_type: string;
  /** In the folder. */
  readonly name: string;
}

/** What an address in a page leads to. */
export type Target =
  | { readonly kind: 'media'; readonly media: NamedMedia; readonly fragment: string }
  /** A file of this site that is not there, or not for everybody. */
  | { readonly kind: 'missing' }
  /** Something of this site that stays where it is. */
  | { readonly kind: 'elsewhere'; readonly url: string }
  | { readonly kind: 'kept' };

const filesSegment = 'files/';
const kept: Target = { kind: 'kept' };

/** Other files are named in it, by their place beside it. */
const playlist = 'application/vnd.apple.mpegurl';

export interface SiteMediaParts {
  readonly files: SiteFiles;
  readonly artifacts: ArtifactFiles;
}

/** Finds the files of a site that its pages name. */
export class SiteMedia {
  readonly #parts: SiteMediaParts;

  constructor(parts: SiteMediaParts) {
    this.#parts = parts;
  }

  /**
   * What the address leads to. Only what everybody may see is taken into a folder.
   * @param areas first segments below `/files/` that modules serve themselves
   */
  async find(
    site: { readonly blog_id: number; readonly url: string },
    { url: written }: Pick<FoundUrl, 'url'>,
    areas: ReadonlySet<string>,
  ): Promise<Target> {
    const url = written === '' || written.startsWith('#') ? null : URL.parse(written, site.url);
    if (url === null || !/^https?:$/.test(url.protocol)) return kept;
    const home = new URL(`${site.url}${filesSegment}`);
    if (url.host !== home.host || !url.pathname.startsWith(home.pathname)) {
      return URL.canParse(written) ? kept : { kind: 'elsewhere', url: url.href };
    }
    const raw = url.pathname.slice(home.pathname.length);
    const area = raw.split('/', 1)[0] ?? '';
    if (areas.has(area) || raw.startsWith('~')) return { kind: 'elsewhere', url: url.href };
    const path = readServedPath(raw);
    const media = path === null ? null : await this.#media(site.blog_id, path);
    if (media === null) return { kind: 'missing' };
    if (media.mime_type === playlist) return { kind: 'elsewhere', url: url.href };
    return { kind: 'media', media, fragment: url.hash };
  }

  async #media(blogId: number, path: string): Promise<NamedMedia | null> {
    const { files, artifacts } = this.#parts;
    const artifact = await artifacts.find(blogId, path);
    const file = artifact ?? (await files.find(blogId, path));
    if (file?.status !== 'publish') return null;
    const { file_key, bytes, mime_type } = file;
    const sha256 = artifact ? null : file.sha256;
    const extension = /\.([a-z0-9]{1,8})$/.exec(path.toLowerCase())?.[1] ?? 'bin';
    return { file_key, bytes, sha256, mime_type, name: `${mediaName({ file_key, sha256 })}.${extension}` };
  }
}

/** Where a file stands in folders, but for its extension. */
export function mediaName({ file_key, sha256 }: Pick<NamedMedia, 'file_key' | 'sha256'>): string {
  return `media/${(sha256 ?? createHash('sha256').update(file_key).digest('hex')).slice(0, 32)}`;
}
