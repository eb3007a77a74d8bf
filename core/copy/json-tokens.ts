/** Pieces of JSON texts by their places; nothing is parsed into values. */

const blankHere = /[ \t\n\r]*/y;
const numberHere = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordHere = /true|false|null/y;

export type JsonToken = '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'number' | 'word' | 'none';

/** End of the white space at `at`. */
export function pastBlank(text: string, at: number): number {
  blankHere.lastIndex = at;
  blankHere.test(text);
  return blankHere.lastIndex;
}

/** End of the string whose opening quote is at `at`; -1 when it is not closed before `limit`. */
function pastString(text: string, at: number, limit: number): number {
  for (
    let quote = text.indexOf('"', at + 1);
    quote >= 0 && quote < limit;
    quote = text.indexOf('"', quote + 1)
  ) {
    let before = quote - 1;
    while (text[before] === '\\') before -= 1;
    if ((quote - 1 - before) % 2 === 0) return quote + 1;
  }
  return -1;
}

/** The token at `at`, where it ends included; `none` for what is no JSON. */
export function tokenAt(text: string, at: number, limit: number): readonly [JsonToken, number] {
  const first = text[at];
  if (at >= limit || first === undefined) return ['none', at];
  if ('{}[],:'.includes(first)) return [first as JsonToken, at + 1];
  if (first === '"') {
    const end = pastString(text, at, limit);
    return end < 0 ? ['none', at] : ['string', end];
  }
  for (const [token, expression] of [
    ['number', numberHere],
    ['word', wordHere],
  ] as const) {
    expression.lastIndex = at;
    if (expression.test(text) && expression.lastIndex <= limit) return [token, expression.lastIndex];
  }
  return ['none', at];
}
