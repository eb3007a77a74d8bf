import type { CopyContext } from './copy-context.ts';
import type { CopyState } from './copy-state.ts';
import { UrlMoves } from './url-moves.ts';

/**
 * URLs of the source become those of the copy. Those of files only where the files were copied; a file's path below
 * its site is the same there. A source that got another address meanwhile is known under both.
 */
export function siteUrlMoves({ source, target, flags }: CopyContext, state: CopyState): UrlMoves {
  const { domain, path } = source;
  const moved = domain !== state.source.domain || path !== state.source.path;
  const from = moved ? [{ domain, path }, state.source] : [{ domain, path }];
  return new UrlMoves(from, {
    to: { domain: target.domain, path: target.path, origin: null },
    pages: true,
    file: (file) => (flags.copy_files ? file : null),
  });
}
