import { createHash } from 'node:crypto';

/** `-300x200` before the extension: a picture that a theme made of the one without it. */
const sizeForm = /-\d{1,5}x\d{1,5}(?=\.[a-z0-9]{2,5}$)/i;

/** The path, and that of the picture which it may be a size of. */
export function sources(path: string): readonly string[] {
  const original = path.replace(sizeForm, '');
  return original === path ? [path] : [path, original];
}

/** The path of an address alone. */
export const withoutQuery = (path: string): string => path.replace(/[?#].*$/s, '');

/** Files that an import keeps apart; an export of 2 GiB has fewer. */
const mostPaths = 1_000_000;

/**
 * Which paths below the old site's address are those of attachments. Kept as 48 bits of a hash each, so that the
 * names of a million files do not stay in memory; of that many, one foreign path in three hundred million is taken
 * for one of them.
 */
export class AttachmentPaths {
  readonly #hashes = new Set<number>();

  add(path: string): void {
    if (this.#hashes.size < mostPaths) this.#hashes.add(hashOf(path));
  }

  has(path: string): boolean {
    return this.#hashes.size > 0 && sources(path).some((source) => this.#hashes.has(hashOf(source)));
  }
}

const hashOf = (path: string): number => createHash('md5').update(path).digest().readUIntBE(0, 6);
