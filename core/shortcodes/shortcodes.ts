import { isCoded } from '../api/errors.ts';
import { htmlTokens } from '../content/html-tokens.ts';
import type { Post } from '../content/post.ts';
import { Problems } from '../http/input.ts';
import { escaped, Html } from '../http/pages/html.ts';
import type { SiteState } from '../state/site-state.ts';
import { type FoundShortcode, findShortcodes } from './find-shortcodes.ts';
import { type PageCode, PieceFailed } from './page-code.ts';
import { nobody, type PagePlace, type PageReader } from './page-place.ts';
import { readAttributes } from './shortcode-attributes.ts';
import { type DeclaredShortcode, shortcodeOf, shortcodesOf } from './shortcode-table.ts';

/** A shortcode that means something on a site. */
export interface ListedShortcode {
  readonly tag: string;
  readonly title: string;
  readonly dynamic: boolean;
  /** The module that declares it. */
  readonly module: string;
}

/** A shortcode of a text, read. */
export interface ParsedShortcode {
  readonly tag: string;
  readonly dynamic: boolean;
  /** As it was written, whole. */
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | null;
  readonly from: number;
  /** Just behind its last character. */
  readonly to: number;
}

/** Why a shortcode shows nothing: nothing of this name, attributes that do not fit, or its code did not make it. */
export type ShortcodeFault = 'unknown' | 'bad_attributes' | 'failed';

/** A shortcode that shows nothing, as it was written, and why, in words for authors. */
export interface ShortcodeProblem {
  readonly shortcode: string;
  readonly fault: ShortcodeFault;
  readonly message: string;
}

/** What became of one shortcode. */
export type Expansion =
  | { readonly html: string; readonly problem: null }
  | { readonly html: ''; readonly problem: ShortcodeProblem };

/** A dynamic shortcode in a text that is rendered for everybody. */
export interface DynamicShortcode {
  readonly tag: string;
  /** As it was written, whole. */
  readonly text: string;
}

/** A text is rendered for one reader, dynamic shortcodes too, or once for all with something in their place. */
interface Pass {
  readonly place: PagePlace;
  readonly post: Post | null;
  readonly reader: PageReader;
  readonly inPlace: ((shortcode: DynamicShortcode) => Html) | null;
  readonly problems: ShortcodeProblem[];
}

/** Shortcodes in the grammar of WordPress, declared by modules and meaning something where these are on. */
export class Shortcodes {
  readonly #code: PageCode;

  constructor(code: PageCode) {
    this.#code = code;
  }

  /** All that mean something on the site. */
  list(state: SiteState): ListedShortcode[] {
    return shortcodesOf(state).map(({ shortcode: { tag, title, dynamic }, module }) => ({
      ...{ tag, title: title ?? '', dynamic, module: module.id },
    }));
  }

  /** Those of an HTML text in their order, but for the ones inside of others and `[[literal]]` ones. Linear. */
  parse(state: SiteState, html: string): ParsedShortcode[] {
    return this.#find(state, html)
      .filter(({ literal }) => !literal)
      .map(({ tag, from, to, attributes, content }) => ({
        ...{ tag, from, to, content, text: html.slice(from, to) },
        attributes: readAttributes(attributes),
        dynamic: shortcodeOf(state, tag)?.shortcode.dynamic ?? false,
      }));
  }

  /**
   * An HTML text with its shortcodes rendered once for all readers, one after the other; `inPlace` says what stands for
   * a dynamic one. In the value of an attribute a dynamic one stays as it is. A shortcode that fails shows nothing.
   * @throws what says that the database or the storage is not there
   */
  async render(
    place: PagePlace,
    post: Post | null,
    html: string,
    inPlace: (shortcode: DynamicShortcode) => Html,
  ): Promise<{ readonly html: string; readonly problems: readonly ShortcodeProblem[] }> {
    const problems: ShortcodeProblem[] = [];
    const rendered = await this.#render({ place, post, reader: nobody, inPlace, problems }, html);
    return { html: rendered, problems };
  }

  /** An HTML text with all its shortcodes rendered for one reader. Otherwise as `render`. */
  async renderFor(
    place: PagePlace,
    post: Post | null,
    reader: PageReader,
    html: string,
  ): Promise<{ readonly html: string; readonly problems: readonly ShortcodeProblem[] }> {
    const problems: ShortcodeProblem[] = [];
    const rendered = await this.#render({ place, post, reader, inPlace: null, problems }, html);
    return { html: rendered, problems };
  }

  /**
   * One dynamic shortcode for one reader; those inside of it too. A text that is no dynamic shortcode of the site, or
   * more than one, is `unknown`.
   * @throws as `render`
   */
  async expand(place: PagePlace, post: Post | null, reader: PageReader, text: string): Promise<Expansion> {
    const [found] = this.#find(place.state, text);
    const declared = found && shortcodeOf(place.state, found.tag);
    const isWhole = found && found.from === 0 && found.to === text.length && !found.literal;
    if (!isWhole || !declared?.shortcode.dynamic) {
      const message = 'This is no dynamic shortcode of the site.';
      return { html: '', problem: { shortcode: text, fault: 'unknown', message } };
    }
    const pass = { place, post, reader, inPlace: null, problems: [] };
    return this.#expand(pass, text, found, declared);
  }

  #find(state: SiteState, html: string): FoundShortcode[] {
    return findShortcodes(html, (tag) => shortcodeOf(state, tag) !== null);
  }

  async #render(pass: Pass, html: string): Promise<string> {
    const parts: string[] = [];
    let done = 0;
    for (const found of this.#find(pass.place.state, html)) {
      parts.push(html.slice(done, found.from), await this.#shown(pass, html, found));
      done = found.to;
    }
    parts.push(html.slice(done));
    return parts.join('');
  }

  async #shown(pass: Pass, html: string, found: FoundShortcode): Promise<string> {
    const text = html.slice(found.from, found.to);
    const declared = shortcodeOf(pass.place.state, found.tag);
    if (found.literal) return text.slice(1, -1);
    if (!declared) return text;
    if (declared.shortcode.dynamic && pass.inPlace) {
      return found.within ? text : pass.inPlace({ tag: found.tag, text }).text;
    }
    const expansion = await this.#expand(pass, text, found, declared);
    if (expansion.problem) pass.problems.push(expansion.problem);
    return found.within ? asValue(expansion.html, found.within) : expansion.html;
  }

  async #expand(
    pass: Pass,
    text: string,
    { tag, attributes: given, content }: FoundShortcode,
    { shortcode, module, read }: DeclaredShortcode,
  ): Promise<Expansion> {
    const problem = (fault: ShortcodeFault, message: string): Expansion => ({
      ...{ html: '', problem: { shortcode: text, fault, message } },
    });
    const problems = new Problems();
    const attributes = read(readAttributes(given), problems);
    const wrong = [
      ...problems.missing.map((name) => `${name}: is required`),
      ...Object.entries(problems.invalid).map(([name, message]) => `${name}: ${message}`),
    ];
    if (wrong.length > 0) return problem('bad_attributes', wrong.join('; '));
    try {
      const piece = { name: `[${tag}]`, module, ...pass };
      const made = await this.#code.run(piece, (call) => {
        const inner = async (): Promise<Html> => {
          call.signal.throwIfAborted();
          return new Html(content === null ? '' : await this.#render(pass, content));
        };
        return shortcode.render({ attributes, content, inner } as never, call);
      });
      return { html: made?.text ?? '', problem: null };
    } catch (error) {
      if (!(error instanceof PieceFailed)) throw error;
      const { cause } = error;
      const isInput = isCoded(cause, 'rest_invalid_param');
      return isInput ? problem('bad_attributes', cause.message) : problem('failed', error.message);
    }
  }
}

/** HTML as the value of an attribute: its text alone. */
function asValue(html: string, quotes: '"' | "'" | 'unquoted'): string {
  const texts = [...htmlTokens(html)].filter(({ kind }) => kind === 'text');
  const text = texts.map(({ from, to }) => html.slice(from, to).replaceAll(/["'<>]/g, escaped)).join('');
  // Without quotes a space would end the value, and what follows begin another attribute.
  return quotes === 'unquoted' ? text.replaceAll(/[\s=`/]/g, (one) => `&#${one.charCodeAt(0)};`) : text;
}
