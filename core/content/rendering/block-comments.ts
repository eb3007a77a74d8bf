import { htmlTokens } from '../html-tokens.ts';

const blockComment = /^<!--\s*\/?wp:/;
/** Longer than the beginning of any of them. */
const beginning = 40;

/** HTML without the comments by which the block editor finds its blocks; other comments stay. */
export function withoutBlockComments(html: string): string {
  if (!html.includes('wp:')) return html;
  const kept: string[] = [];
  for (const { kind, from, to } of htmlTokens(html)) {
    if (kind === 'other' && blockComment.test(html.slice(from, from + beginning))) continue;
    kept.push(html.slice(from, to));
  }
  return kept.join('').trim();
}
