import type { Html } from '../http/pages/html.ts';
import type { AnswerCookie } from './answers.ts';
import type { Call } from './call.ts';

/** What a page of a module answers. Made by the functions of this file only. */
export class PageAnswer {
  readonly status: number;
  readonly html: Html | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly AnswerCookie[];

  constructor(
    status: number,
    html: Html | null,
    headers: Readonly<Record<string, string>>,
    cookies: readonly AnswerCookie[],
  ) {
    this.status = status;
    this.html = html;
    this.headers = headers;
    this.cookies = cookies;
  }
}

/** What a page needs beside its HTML. */
export interface PageOptions {
  readonly status: number;
  /** The `Content-Security-Policy`: a page may do only what its policy names. */
  readonly policy: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A whole document. It is kept by no cache and framed by nobody unless its headers say otherwise. */
export const showPage = (html: Html, { status, policy, headers }: PageOptions): PageAnswer =>
  new PageAnswer(status, html, { 'Content-Security-Policy': policy, ...headers }, []);

/** 303 to another place of the site, with cookies on the way. @param path path and query, beginning with `/` */
export const leadTo = (path: string, cookies: readonly AnswerCookie[]): PageAnswer =>
  new PageAnswer(303, null, { Location: path }, cookies);

/** A page that a module serves below a site, outside of the API. Where the module is off there is none. */
export interface SitePage {
  /** `<module>.<name>`, unique. */
  readonly id: string;
  /** Path below the site, without slashes around. No site may take its first segment as its slug. */
  readonly path: string;
  readonly title: string;
  /** Answers GET and HEAD, and changes nothing. */
  readonly show: (call: Call) => PageAnswer | Promise<PageAnswer>;
  /**
   * Answers POST of a form of this page: its text fields by name. What a page of another origin sends never gets here
   * (403 `rest_forbidden`). Without it the method is refused.
   */
  readonly submit?: (form: Readonly<Record<string, string>>, call: Call) => PageAnswer | Promise<PageAnswer>;
}

/** Declares a page of a module. */
export const definePage = (page: SitePage): SitePage => page;
