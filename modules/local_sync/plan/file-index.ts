import type { Call } from '@lyceum/core';
import { FileLinks } from '@lyceum/core';
import { folder } from '../file-place.ts';
import type { FileVersion } from '../stores/page-store.ts';

interface Indexed {
  readonly sha256: string;
  readonly url: string;
}

/** Absolute URL of what is served at a place of this module's files. */
export const fileUrl = (call: Pick<Call, 'site' | 'get'>, served: string): string =>
  call.get(FileLinks).plain(call.site, `${folder}/${served}`);

/** Files of a project as its pages find them, by path. */
export class FileIndex {
  readonly #call: Pick<Call, 'site' | 'get'>;
  readonly #files = new Map<string, Indexed>();

  constructor(call: Pick<Call, 'site' | 'get'>) {
    this.#call = call;
  }

  /** The path has this content from now on. */
  set({ path, sha256, served }: FileVersion & { readonly served: string }): void {
    this.#files.set(path, { sha256, url: fileUrl(this.#call, served) });
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  urlOf(path: string): string | null {
    return this.#files.get(path)?.url ?? null;
  }

  /** Contents of these paths; unknown ones are left out. */
  versions(paths: Iterable<string>): FileVersion[] {
    return [...paths].flatMap((path) => {
      const file = this.#files.get(path);
      return file ? [{ path, sha256: file.sha256 }] : [];
    });
  }
}
