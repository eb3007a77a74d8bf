import { htmlAttributes, htmlTokens } from '../content/html-tokens.ts';

/** A shortcode in a text. */
export interface FoundShortcode {
  readonly tag: string;
  readonly from: number;
  /** Just behind its last character. */
  readonly to: number;
  /** The text behind the tag's name, unread. */
  readonly attributes: string;
  /** Null when it encloses nothing. */
  readonly content: string | null;
  /** True for `[[tag]]`: it stands for `[tag]` as a text. */
  readonly literal: boolean;
  /** Whether it stands in the value of an attribute of HTML, and in which quotes. */
  readonly within: '"' | "'" | 'unquoted' | null;
}

type Place = Omit<FoundShortcode, 'attributes' | 'content' | 'within'> & {
  readonly nameEnd: number;
  readonly attributesTo: number;
  readonly content: readonly [from: number, to: number] | null;
};

const tagName = /[\w-]+/y;

/** Stands for a bracket that is none: texts of PostgreSQL hold no such character. */
const noBracket = '\0';

/**
 * The shortcodes of an HTML text in the grammar of WordPress, in their order. A tag closes with the first `[/tag]`
 * behind it, so none nests in itself. Brackets in comments, in scripts and styles, and in tags are text, but for those
 * in the value of an attribute that holds the whole shortcode. One pass per tag that is known, whatever the text.
 */
export function findShortcodes(html: string, isTag: (name: string) => boolean): FoundShortcode[] {
  if (!html.includes('[')) return [];
  const tokens = [...htmlTokens(html)];
  const bare = tokens
    .map(({ kind, from, to }) => {
      const text = html.slice(from, to);
      return kind === 'text' ? text : text.replaceAll(/[[\]]/g, noBracket);
    })
    .join('');
  const found = [...scan(bare, isTag)].map((place) => whole(html, 0, place, null));
  const inTags: FoundShortcode[] = [];
  let next = 0;
  for (const token of tokens) {
    while ((found[next]?.to ?? html.length) <= token.from && next < found.length) next += 1;
    const enclosed = (found[next]?.from ?? html.length) <= token.from;
    if (token.kind !== 'start' || enclosed || !html.slice(token.from, token.to).includes('[')) continue;
    for (const { valueFrom, valueTo, quote } of htmlAttributes(html, token)) {
      const value = html.slice(valueFrom, valueTo);
      const within = quote || 'unquoted';
      for (const place of scan(value, isTag)) inTags.push(whole(value, valueFrom, place, within));
    }
  }
  return [...found, ...inTags].sort((one, other) => one.from - other.from);
}

function whole(
  text: string,
  offset: number,
  { nameEnd, attributesTo, content, ...place }: Place,
  within: FoundShortcode['within'],
): FoundShortcode {
  return {
    ...place,
    from: offset + place.from,
    to: offset + place.to,
    attributes: text.slice(nameEnd, attributesTo),
    content: content && text.slice(...content),
    within,
  };
}

/** Where the closing tag of each name stands next; what was looked for once is known. */
function closings(text: string): (tag: string, from: number) => number {
  const known = new Map<string, number>();
  return (tag, from) => {
    const last = known.get(tag);
    if (last !== undefined && (last < 0 || last >= from)) return last;
    const at = text.indexOf(`[/${tag}]`, from);
    known.set(tag, at);
    return at;
  };
}

function* scan(text: string, isTag: (name: string) => boolean): Iterable<Place> {
  const closing = closings(text);
  let open = text.indexOf('[');
  while (open >= 0) {
    const doubled = text[open + 1] === '[';
    const nameFrom = open + (doubled ? 2 : 1);
    tagName.lastIndex = nameFrom;
    const tag = tagName.exec(text)?.[0];
    if (tag === undefined || !isTag(tag)) {
      open = text.indexOf('[', open + 1);
      continue;
    }
    const place = placeOf(text, closing, { tag, open, doubled, nameEnd: nameFrom + tag.length });
    // Nor does any other tag of the text end.
    if (place === null) return;
    yield place;
    open = text.indexOf('[', place.to);
  }
}

interface Opening {
  readonly tag: string;
  readonly open: number;
  readonly doubled: boolean;
  readonly nameEnd: number;
}

function placeOf(
  text: string,
  closing: ReturnType<typeof closings>,
  { tag, open, doubled, nameEnd }: Opening,
): Place | null {
  const end = text.indexOf(']', nameEnd);
  if (end < 0) return null;
  const closesItself = end > nameEnd && text[end - 1] === '/';
  const alone = closesItself || (doubled && text[end + 1] === ']');
  const close = alone ? -1 : closing(tag, end + 1);
  const to = close < 0 ? end + 1 : close + tag.length + 3;
  const literal = doubled && text[to] === ']';
  return {
    tag,
    nameEnd,
    literal,
    attributesTo: closesItself ? end - 1 : end,
    content: close < 0 ? null : [end + 1, close],
    // A bracket too many on one side alone is text.
    from: doubled && !literal ? open + 1 : open,
    to: literal ? to + 1 : to,
  };
}
