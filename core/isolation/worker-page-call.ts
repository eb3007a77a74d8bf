import type { Logger } from 'pino';
import * as yup from 'yup';
import { CodedError } from '../api/errors.ts';
import type { Token } from '../api/provider.ts';
import type { PageCall, Shortcode } from '../api/shortcode.ts';
import { networkCapabilities } from '../auth/capabilities.ts';
import type { PageCallWords } from '../shortcodes/reader-call.ts';

/** A use of a shortcode as the host tells it. */
export interface PieceUse {
  readonly attributes: unknown;
  readonly content: string | null;
  readonly inner: () => Promise<string>;
}

/** The tests of the schema itself: the host's process has read the attributes. */
export function checkAttributes({ attributes: schema }: Shortcode, given: unknown): unknown {
  try {
    return schema ? schema.validateSync(given, { strict: true }) : {};
  } catch (error) {
    if (!(error instanceof yup.ValidationError)) throw error;
    throw new CodedError('rest_invalid_param', { message: error.message });
  }
}

interface Parts {
  readonly words: PageCallWords;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly get: <T>(token: Token<T>) => T;
}

/** What code in a worker that makes a part of a page is given. */
export class WorkerPageCall implements PageCall {
  readonly site: PageCall['site'];
  readonly post: PageCall['post'];
  readonly user: PageCall['user'];
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly #words: PageCallWords;
  readonly #get: Parts['get'];
  readonly #began = Date.now();

  constructor({ words, signal, log, get }: Parts) {
    this.site = words.site;
    this.post = words.post;
    this.user = words.user;
    this.signal = signal;
    this.log = log;
    this.#words = words;
    this.#get = get;
  }

  can(capability: string): boolean {
    if (!this.user) return false;
    if (this.user.super_admin) return !(this.#words.single && networkCapabilities.has(capability));
    return this.#words.capabilities.includes(capability);
  }

  setting<T>(name: string): T {
    return (Object.hasOwn(this.#words.settings, name) ? this.#words.settings[name] : undefined) as T;
  }

  get<T>(token: Token<T>): T {
    return this.#get(token);
  }

  now(): Date {
    return new Date(this.#words.now + (Date.now() - this.#began));
  }
}
