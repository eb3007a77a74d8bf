import { string, tokenize, tokenTypes, url } from 'css-tree';

/** What takes the place of a URL; null leaves it as it is. */
export type NewUrl = (address: string) => string | null;

/** Functions whose own strings are addresses. */
const ofStrings = new Set(['url(', 'src(', 'image-set(', '-webkit-image-set(']);

/** Nothing that ends a style element or begins a tag in one. */
const inStyle = (text: string): string => text.replaceAll('<', '%3C').replaceAll('>', '%3E');

/**
 * CSS with other addresses in `url()`, `image-set()` and `@import`; all else stays byte for byte. Reads tokens, not a
 * tree: whatever the text is, it takes time by its length.
 */
export function rewriteCssUrls(css: string, replace: NewUrl): string {
  const parts: string[] = [];
  const open: string[] = [];
  let done = 0;
  let importing = false;
  const put = (from: number, to: number, text: string | null): void => {
    if (text === null) return;
    parts.push(css.slice(done, from), text);
    done = to;
  };
  tokenize(css, (type, from, to) => {
    const text = (): string => css.slice(from, to);
    if (type === tokenTypes.Function) open.push(text().toLowerCase());
    else if (type === tokenTypes.LeftParenthesis) open.push('(');
    else if (type === tokenTypes.RightParenthesis) open.pop();
    else if (type === tokenTypes.Url) {
      const address = replace(url.decode(text()));
      put(from, to, address === null ? null : url.encode(inStyle(address)));
    } else if (type === tokenTypes.String && (importing || ofStrings.has(open.at(-1) ?? ''))) {
      const address = replace(string.decode(text()));
      put(from, to, address === null ? null : string.encode(inStyle(address)));
    }
    if (type === tokenTypes.AtKeyword) importing = text().toLowerCase() === '@import';
    else if (type !== tokenTypes.WhiteSpace && type !== tokenTypes.Comment) importing = false;
  });
  return parts.join('') + css.slice(done);
}
