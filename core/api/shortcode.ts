import type { Logger } from 'pino';
import type * as yup from 'yup';
import type { Post } from '../content/post.ts';
import type { Html } from '../http/pages/html.ts';
import type { Caller } from './call.ts';
import type { Token } from './provider.ts';

/** The site of a page; a Site is one. `url` is absolute and ends with `/`. */
export interface PageSite {
  readonly blog_id: number;
  readonly network_id: number;
  readonly url: string;
}

/** What code that makes a part of a page is given: where the page stands, and who looks at it. */
export interface PageCall {
  readonly site: PageSite;
  /** The page; null where a text is rendered that belongs to none. */
  readonly post: Post | null;
  /** Who looks. null for nobody, and for what is rendered once for all readers. */
  readonly user: Caller | null;
  /** Whether the reader holds the capability on the site. False for nobody. */
  can(capability: string): boolean;
  /** Value of a setting of the module on the site, default filled in. */
  setting<T = unknown>(name: string): T;
  /** A service of the module, of a module it requires, or of the host. */
  get<T>(token: Token<T>): T;
  readonly log: Logger;
  /** Aborts after two seconds: nobody waits for the result then. */
  readonly signal: AbortSignal;
  now(): Date;
}

/** One shortcode as it stands in a text. */
export interface ShortcodeUse<A> {
  /** As its schema reads them; an attribute without a name is called by its place, `0`, `1`… */
  readonly attributes: A;
  /** The text between `[tag]` and `[/tag]` as it was written; null when the tag encloses nothing. */
  readonly content: string | null;
  /** The same with the shortcodes in it rendered; empty when the tag encloses nothing. */
  readonly inner: () => Promise<Html>;
}

/** A word in square brackets that stands for something else: `[tag a="x"]`, `[tag]…[/tag]`. */
export interface ShortcodeDeclaration<S extends yup.AnySchema> {
  /** `[a-z][a-z0-9_-]*`, unique in the installation. Where its module is off it is text like any other. */
  readonly tag: string;
  /** One line for authors. */
  readonly title?: string;
  /** A yup object: attributes are read by it as texts of a query are, others are left out. Default: none are read. */
  readonly attributes?: S;
  /** True when it depends on who looks: it is never rendered into what is kept for all readers. */
  readonly dynamic: boolean;
  /**
   * The HTML in its place; values are escaped by `html`. One that is not dynamic must follow from its attributes, the
   * page, the site's address and the settings of its module, for what is kept is made anew when one of these changes.
   * What it throws, or two seconds, cost the reader this one piece. `rest_invalid_param` says that an attribute does
   * not fit after all; an error without a code is a crash of the module.
   */
  readonly render: (use: ShortcodeUse<yup.InferType<S>>, call: PageCall) => Html | Promise<Html>;
}

/** A shortcode whose attributes are no longer of interest. */
export type Shortcode = Omit<ShortcodeDeclaration<yup.AnySchema>, 'render'> & {
  readonly render: (use: ShortcodeUse<never>, call: PageCall) => Html | Promise<Html>;
};

/** Declares a shortcode of a module. */
export function defineShortcode<S extends yup.AnySchema>(declaration: ShortcodeDeclaration<S>): Shortcode {
  return declaration as unknown as Shortcode;
}

/** Something that a module shows on pages beside their content. */
export interface PageAddition {
  /** `<module>.<name>`, unique. */
  readonly id: string;
  readonly title: string;
  /**
   * HTML that stands after the content of the page, the same for all readers; null for nothing. It is asked for
   * whenever somebody wants to know whether the page is still the same: one look-up by an index, no more.
   */
  readonly after: (post: Post, call: PageCall) => Html | null | Promise<Html | null>;
}

/** Declares what a module adds to pages. */
export const definePageAddition = (addition: PageAddition): PageAddition => addition;
