import type { Keys } from '../settings/secrets.ts';
import { type Grant, readGrant, signGrant } from './grants.ts';

/** First path segment below a site under which its files are served. */
export const filesSegment = 'files';

/** A grant segment begins with this; no stored path does. */
const grantMark = '~';

/** Absolute URLs of files, and the grants that open some of them to players without cookies. */
export class FileLinks {
  readonly #key: Buffer;

  constructor(keys: Keys) {
    this.#key = keys.derive('file grants');
  }

  /**
   * The lasting address of a file.
   * @param site its site; `url` ends with a slash
   * @param path below `/files/`
   */
  plain(site: { readonly url: string }, path: string): string {
    return `${site.url}${filesSegment}/${path}`;
  }

  /** An address that opens this attachment's file until the grant expires, its status whatever but trash. */
  granted(site: { readonly url: string }, path: string, grant: Grant): string {
    return `${site.url}${filesSegment}/${grantMark}${signGrant(grant, this.#key)}/${path}`;
  }

  /**
   * Splits a path below `/files/`. `grant` is undefined where none is given, null for one that we did not make
   * or that has expired.
   */
  read(path: string, now: Date): { readonly path: string; readonly grant: Grant | null | undefined } {
    if (!path.startsWith(grantMark)) return { path, grant: undefined };
    const slash = path.indexOf('/');
    if (slash < 0) return { path: '', grant: null };
    const grant = readGrant(path.slice(grantMark.length, slash), this.#key);
    const live = grant !== null && grant.expires * 1000 > now.getTime() ? grant : null;
    return { path: path.slice(slash + 1), grant: live };
  }
}
