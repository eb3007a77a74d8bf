import { documentText, editorOf } from '../document.ts';
import type { Post } from '../post.ts';
import { projectPagebuilder } from '../project-pagebuilder.ts';
import { withoutBlockComments } from './block-comments.ts';
import { turboPage } from './turbo-page.ts';

/** The HTML that a page's document stands for, its shortcodes not rendered yet. */
export function pageHtml(post: Pick<Post, 'content' | 'meta'>): string {
  const text = documentText(post);
  switch (editorOf(post)) {
    case 'pagebuilder':
      return projectPagebuilder(text);
    case 'turbo':
      return turboPage(text);
    case 'block':
      return withoutBlockComments(text);
  }
}
