const spaces = /[\t\n\f\r ,]*/y;
const address = /[^\t\n\f\r ]+/y;

/** The end of a descriptor: the next comma that stands in no parentheses. */
function descriptorEnd(text: string, from: number): number {
  let inside = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') inside = true;
    else if (text[at] === ')') inside = false;
    else if (text[at] === ',' && !inside) return at;
  }
  return text.length;
}

/** A `srcset` with other addresses, split as browsers split it. */
export function rewriteSrcset(text: string, replace: (address: string) => string | null): string {
  const candidates: string[] = [];
  for (let at = 0; at < text.length; ) {
    spaces.lastIndex = at;
    spaces.test(text);
    address.lastIndex = spaces.lastIndex;
    const found = address.exec(text)?.[0];
    if (found === undefined) break;
    at = address.lastIndex;
    const plain = found.replace(/,+$/, '');
    const end = plain === found ? descriptorEnd(text, at) : at;
    candidates.push(`${replace(plain) ?? plain}${text.slice(at, end).trimEnd()}`);
    at = end;
  }
  return candidates.join(', ');
}
