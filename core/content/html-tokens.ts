/**
 * A piece of an HTML text, in order and without gaps. `raw` is the inside of an element in which tags mean
 * nothing, such as `script`; `other` is a comment, doctype or broken markup, which shows nothing.
 */
export interface HtmlToken {
  readonly kind: 'text' | 'start' | 'end' | 'raw' | 'other';
  /** Lower-case name of the element for `start`, `end` and `raw`, else empty. */
  readonly name: string;
  readonly from: number;
  /** Just behind the last character. */
  readonly to: number;
}

const rawElements = new Set(
  'script style textarea title xmp iframe noembed noframes noscript plaintext'.split(' '),
);

const tagName = /[^\t\n\f\r />]*/y;
const blank = /[\t\n\f\r /]*/y;
const attributeName = /=?[^\t\n\f\r />=]*/y;
const equals = /[\t\n\f\r ]*=[\t\n\f\r ]*/y;
const unquoted = /[^\t\n\f\r >]*/y;

/** Where the match of a sticky expression ends; every expression here matches the empty text or is asked first. */
function past(expression: RegExp, html: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(html) ? expression.lastIndex : at;
}

/** Position behind the tag that begins before `at`; the end of the text when the tag is not closed. */
function pastTag(html: string, nameEnd: number): number {
  let at = past(blank, html, nameEnd);
  while (at < html.length && html[at] !== '>') at = attributeAt(html, at).next;
  return Math.min(at + 1, html.length);
}

/** An attribute of a start tag. */
export interface HtmlAttribute {
  /** As it is written. */
  readonly name: string;
  /** Between the quotes; both are the same place where there is no value. */
  readonly valueFrom: number;
  readonly valueTo: number;
  readonly quote: '"' | "'" | '';
}

/** The attributes of a start tag that `htmlTokens` gave, in one pass. */
export function* htmlAttributes(html: string, { name, from, to }: HtmlToken): Iterable<HtmlAttribute> {
  let at = past(blank, html, from + 1 + name.length);
  while (at < to && html[at] !== '>') {
    const found = attributeAt(html, at);
    yield found;
    at = found.next;
  }
}

/** The attribute at this place, and where the next one begins. */
function attributeAt(html: string, at: number): HtmlAttribute & { readonly next: number } {
  const nameEnd = past(attributeName, html, at);
  const name = html.slice(at, nameEnd);
  const value = past(equals, html, nameEnd);
  if (value === nameEnd) {
    return { name, valueFrom: nameEnd, valueTo: nameEnd, quote: '', next: past(blank, html, nameEnd) };
  }
  const end = pastValue(html, value);
  const first = html[value];
  const quote = first === '"' || first === "'" ? first : '';
  const isClosed = quote !== '' && end - 1 > value && html[end - 1] === quote;
  return {
    name,
    valueFrom: quote ? value + 1 : value,
    valueTo: isClosed ? end - 1 : end,
    quote,
    next: past(blank, html, end),
  };
}

function pastValue(html: string, at: number): number {
  const quote = html[at];
  if (quote !== '"' && quote !== "'") return past(unquoted, html, at);
  const end = html.indexOf(quote, at + 1);
  return end < 0 ? html.length : end + 1;
}

/** Position behind what begins with `<!`, `<?` or `</` and is no tag. */
function pastOther(html: string, at: number): number {
  if (html.startsWith('<!-->', at) || html.startsWith('<!--->', at)) return html.indexOf('>', at) + 1;
  const isComment = html.startsWith('<!--', at);
  const end = isComment ? html.indexOf('-->', at + 4) : html.indexOf('>', at);
  return end < 0 ? html.length : end + (isComment ? 3 : 1);
}

function rawEnd(html: string, name: string, from: number): number {
  if (name === 'plaintext') return html.length;
  const close = new RegExp(`</${name}[\\t\\n\\f\\r />]`, 'gi');
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}

/**
 * Splits HTML by the tokenizer's rules of the HTML standard (comments end at `-->`, quoted values may hold `>`).
 * One pass, no tree: a tree builder needs time that grows with the square of depth or of a tag's attributes,
 * and 5 MiB of `<div>` must be as harmless as 5 MiB of text.
 */
export function* htmlTokens(html: string): Iterable<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const open = nextMarkup(html, at);
    if (open > at) yield { kind: 'text', name: '', from: at, to: open };
    if (open >= html.length) return;
    const isEnd = html[open + 1] === '/';
    const nameFrom = open + (isEnd ? 2 : 1);
    if (!isLetter(html.charAt(nameFrom))) {
      at = pastOther(html, open);
      yield { kind: 'other', name: '', from: open, to: at };
      continue;
    }
    const nameEnd = past(tagName, html, nameFrom);
    const name = html.slice(nameFrom, nameEnd).toLowerCase();
    at = pastTag(html, nameEnd);
    yield { kind: isEnd ? 'end' : 'start', name, from: open, to: at };
    if (isEnd || !rawElements.has(name)) continue;
    const end = rawEnd(html, name, at);
    if (end > at) yield { kind: 'raw', name, from: at, to: end };
    at = end;
  }
}

const isLetter = (character: string): boolean => /^[a-z]$/i.test(character);

/** Where the next markup begins: `<` before a letter, `/`, `!` or `?`. The end of the text without any. */
function nextMarkup(html: string, from: number): number {
  for (let at = html.indexOf('<', from); at >= 0; at = html.indexOf('<', at + 1)) {
    if (/[a-z!/?]/i.test(html.charAt(at + 1))) return at;
  }
  return html.length;
}
