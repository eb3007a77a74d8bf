/** What takes the place of a URL of the old site: null leaves it as it is. */
export type NewAddress = (path: string) => string | null;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A slash, with the backslashes that JSON may have put before it. */
const slash = '\\\\{0,7}\\/';

/** What follows the site's address: path, query and fragment, up to what cannot be part of a URL in a text. */
const rest = `(?:(?:${slash}|[?#])(?:${slash}|[^\\s"'<>()\\[\\]{}|\\\\^\`,;/])*)?`;

/** Where a URL without a scheme may begin: not within another one, nor a word; the ends of JSON's escapes are no letters. */
const alone = '(?:(?<![\\p{L}\\p{N}_.~:/\\\\%@-])|(?<=\\\\(?:[nrt]|u00[23][\\da-f])))';

/** Without scheme and closing slash; null for what is no http or https address. */
export function siteAddress(url: string): { readonly host: string; readonly path: string } | null {
  const found = URL.parse(url);
  if (found === null || !['http:', 'https:'].includes(found.protocol)) return null;
  return { host: found.host, path: found.pathname.replace(/\/+$/, '') };
}

/** Finds the URLs of one site in texts. Linear in the length of the text. */
export class MovedUrls {
  readonly #form: RegExp;

  /** @param base address of the old site; its scheme may be the other one in a text */
  constructor(base: { readonly host: string; readonly path: string }) {
    const segments = [base.host, ...base.path.split('/').slice(1)].map(escaped).join(slash);
    const start = `(?:https?:|${alone})(${slash})${slash}${segments}`;
    // The name of the host or of the last folder must end here, but a full stop may end a sentence.
    const whole = `(?![\\p{L}\\p{N}_~%@:-]|\\.+(?:[\\p{L}\\p{N}]|${slash}))`;
    this.#form = new RegExp(`${start}${whole}(${rest})`, 'giu');
  }

  /**
   * @param address asked with what follows the old site's address (plain slashes, without the dot that ends a
   * sentence); gives what stands for both, with a scheme, which a URL without one does not get, and without backslashes
   */
  replace(text: string, address: NewAddress): string {
    return text.replaceAll(this.#form, (found, written: string, tail: string) => {
      const end = sentenceEnd(tail);
      const replaced = address(tail.slice(0, end).replaceAll('\\', ''));
      if (replaced === null) return found;
      const now = /^h/i.test(found) ? replaced : replaced.replace(/^https?:/, '');
      return now.replaceAll('/', written) + tail.slice(end);
    });
  }

  /** What follows the site's address in a URL; null for a URL of another site. */
  path(url: string): string | null {
    let path: string | null = null;
    this.replace(url, (found) => {
      path ??= found;
      return null;
    });
    return path;
  }

  /** The same in every text of a JSON value; the value itself when nothing was replaced. */
  replaceIn(value: unknown, address: NewAddress): unknown {
    if (typeof value === 'string') return isObjectText(value) ? value : this.replace(value, address);
    if (Array.isArray(value)) return value.map((member) => this.replaceIn(member, address));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, member]) => [key, this.replaceIn(member, address)]);
    return Object.fromEntries(entries);
  }
}

/** Where the punctuation behind a URL begins. By hand: an expression looks at each run of dots again and again. */
function sentenceEnd(text: string): number {
  let end = text.length;
  while (end > 0 && '.:!?'.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

/** Serialized objects know the lengths of their texts: a longer address would break them. */
const isObjectText = (text: string): boolean => /^[OC]:\d+:"/.test(text);
