import { Html, html } from '@lyceum/core';
import type { Course, CoursePage } from '../course.ts';
import { oneLine } from '../texts.ts';
import { otherLanguage } from './language.ts';
import type { PlayerWords } from './words.ts';

/** A page of the top level, or a section with its pages. */
type Entry =
  | { readonly kind: 'page'; readonly page: CoursePage }
  | { readonly kind: 'section'; readonly name: string; readonly pages: CoursePage[] };

/** A section stands where its first page does and holds all of its pages. */
function entriesOf({ pages, useSections }: Course): readonly Entry[] {
  const entries: Entry[] = [];
  const sections = new Map<number, CoursePage[]>();
  for (const page of pages) {
    if (!useSections || !page.section) {
      entries.push({ kind: 'page', page });
      continue;
    }
    const known = sections.get(page.section.id);
    if (known) {
      known.push(page);
      continue;
    }
    const own = [page];
    sections.set(page.section.id, own);
    entries.push({ kind: 'section', name: page.section.name, pages: own });
  }
  return entries;
}

/** The pages as the menu has them, which is the order in which one reads: next leads down the menu. */
export const readingOrder = (course: Course): readonly CoursePage[] =>
  entriesOf(course).flatMap((entry) => (entry.kind === 'page' ? [entry.page] : entry.pages));

const joined = (parts: readonly Html[]): Html => new Html(parts.map(({ text }) => text).join(''));

/** The list of the menu. Its links work without a script, too. */
export function menuList(course: Course, words: PlayerWords & { readonly language: string }): Html {
  const item = (page: CoursePage): Html => {
    const title = oneLine(page.title) || words.untitled;
    const language = otherLanguage(page.language, words.language);
    return html`<li><a href="${page.href}" target="page" data-page="${String(page.id)}"><span class="mark" aria-hidden="true"></span><span class="page-title"${language}>${title}</span><span class="hidden-text" data-seen></span></a></li>
`;
  };
  const section = (name: string, pages: readonly CoursePage[]): Html => html`<li>
<details open>
<summary><span class="section-name"${otherLanguage(course.language, words.language)}>${oneLine(name) || words.untitled}</span><span class="section-count" data-count="${String(pages.length)}" aria-hidden="true"></span></summary>
<ol>
${joined(pages.map(item))}</ol>
</details>
</li>
`;
  return html`<ol class="menu-list">
${joined(
  entriesOf(course).map((entry) =>
    entry.kind === 'page' ? item(entry.page) : section(entry.name, entry.pages),
  ),
)}</ol>`;
}
