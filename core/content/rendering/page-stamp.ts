import { createHash } from 'node:crypto';
import type { ModuleSpec } from '../../registry/spec.ts';
import type { SettingsService } from '../../settings/settings.ts';
import type { PagePlace } from '../../shortcodes/page-place.ts';
import { shortcodesOf } from '../../shortcodes/shortcode-table.ts';
import { editorOf } from '../document.ts';
import type { Post } from '../post.ts';

/** Rises with every change of the renderer that makes other HTML of the same page. */
const rendererVersion = 1;

/**
 * 64 hex digits that are others as soon as anything is that a rendering is made of: document, title, language,
 * additions, the site's address, the shortcodes that there are, the code and the settings of those that are rendered.
 */
export function stampOf(
  settings: SettingsService,
  { site, state }: PagePlace,
  post: Post,
  additions: readonly string[],
): string {
  const declared = shortcodesOf(state).toSorted((one, other) =>
    one.shortcode.tag < other.shortcode.tag ? -1 : 1,
  );
  const rendered = new Set<ModuleSpec>();
  for (const { shortcode, module } of declared) if (!shortcode.dynamic) rendered.add(module);
  const parts = [
    rendererVersion,
    [post.blog_id, post.id, post.hash, editorOf(post), post.title, post.lang],
    additions,
    site.url,
    declared.map(({ shortcode: { tag, dynamic } }) => [tag, dynamic]),
    [...rendered].map((module) => [
      module.id,
      state.modules.get(module.id)?.hash,
      settings.all(module, state),
    ]),
  ];
  return createHash('sha256').update(JSON.stringify(parts), 'utf8').digest('hex');
}
