import { specs } from '../../registry/spec.ts';
import { type PageCode, PieceFailed } from '../../shortcodes/page-code.ts';
import type { PagePlace } from '../../shortcodes/page-place.ts';
import { nobody } from '../../shortcodes/page-place.ts';
import type { Post } from '../post.ts';

/** HTML that modules show after the content of the page, in the order of their ids; what fails shows nothing. */
export async function additionsOf(code: PageCode, place: PagePlace, post: Post): Promise<string[]> {
  const shown: string[] = [];
  for (const module of specs(place.state.modules)) {
    if (!place.state.isOn(module.id)) continue;
    for (const addition of module.pageAdditions) {
      const piece = { name: addition.id, module, place, post, reader: nobody };
      try {
        const html = await code.run(piece, (call) => addition.after(post, call));
        if (html !== null && html.text !== '') shown.push(html.text);
      } catch (error) {
        if (!(error instanceof PieceFailed)) throw error;
      }
    }
  }
  return shown;
}
