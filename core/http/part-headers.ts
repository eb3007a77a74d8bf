/** What the headers of one part of a form say. */
export interface PartHeaders {
  /** Name of the field; null when the part has none. */
  readonly name: string | null;
  /** As sent by the client; null for a part that is text, empty for a file input that nobody filled. */
  readonly filename: string | null;
  /** True when the part's bytes are encoded, which RFC 7578 gave up and no browser does. */
  readonly encoded: boolean;
}

const plainEncodings = new Set(['', '7bit', '8bit', 'binary']);

/** Reads the header lines of a part; null when they are no headers. Time grows with the length alone. */
export function readPartHeaders(text: string): PartHeaders | null {
  let disposition: string | null = null;
  let encoding = '';
  for (const line of text === '' ? [] : text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon < 1) return null;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === 'content-disposition') disposition = value;
    if (name === 'content-transfer-encoding') encoding = value.toLowerCase();
  }
  const parameters = disposition === null ? null : readParameters(disposition);
  return {
    name: parameters?.get('name') ?? null,
    filename: parameters?.get('filename') ?? extended(parameters?.get('filename*')),
    encoded: !plainEncodings.has(encoding),
  };
}

/** `form-data; name="a"; filename="b c.png"` as a map of its parameters; the first of a name counts. */
function readParameters(value: string): Map<string, string> {
  const found = new Map<string, string>();
  let at = value.indexOf(';');
  while (at >= 0 && at < value.length) {
    const equals = value.indexOf('=', at);
    if (equals < 0) break;
    const name = value
      .slice(value.lastIndexOf(';', equals) + 1, equals)
      .trim()
      .toLowerCase();
    const [text, end] = readValue(value, equals + 1);
    if (!found.has(name)) found.set(name, text);
    at = value.indexOf(';', end);
  }
  return found;
}

/** The value that begins at `start`, and where it ends. */
function readValue(text: string, start: number): [value: string, end: number] {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  if (text[at] !== '"') {
    const semicolon = text.indexOf(';', at);
    const end = semicolon < 0 ? text.length : semicolon;
    return [text.slice(at, end).trim(), end];
  }
  const parts: string[] = [];
  let from = at + 1;
  for (at = from; at < text.length && text[at] !== '"'; at += 1) {
    // Only what must be escaped is: an old browser sends `C:\new\a.png` as it is.
    if (text[at] !== '\\' || (text[at + 1] !== '"' && text[at + 1] !== '\\')) continue;
    parts.push(text.slice(from, at));
    at += 1;
    from = at;
  }
  parts.push(text.slice(from, at));
  return [parts.join('').replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n'), at];
}

/** `UTF-8''na%C3%AFve.png`, which some programs send beside or instead of the plain form. */
function extended(value: string | undefined): string | null {
  const match = /^utf-8'[^']{0,35}'(.*)$/is.exec(value ?? '');
  if (match === null) return null;
  try {
    return decodeURIComponent(match[1] ?? '');
  } catch {
    return null;
  }
}
