import type { Logger } from 'pino';
import type { Caller } from '../api/call.ts';
import type { Token } from '../api/provider.ts';
import type { PageCall, PageSite } from '../api/shortcode.ts';
import { CapabilityTable } from '../auth/capabilities.ts';
import type { Post } from '../content/post.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { SiteState } from '../state/site-state.ts';
import { State } from '../state/state.ts';
import type { PagePlace, PageReader } from './page-place.ts';

export interface ReaderCallParts {
  readonly place: PagePlace;
  readonly reader: PageReader;
  readonly post: Post | null;
  readonly module: ModuleSpec;
  readonly signal: AbortSignal;
  readonly settings: SettingsService;
  readonly get: <T>(token: Token<T>) => T;
  readonly log: Logger;
  readonly now: () => Date;
}

/** A call as data, for code in another process. */
export interface PageCallWords extends Pick<PageCall, 'site' | 'post' | 'user'> {
  readonly capabilities: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly now: number;
  /** On an installation of a single site. */
  readonly single: boolean;
}

/** What code of a module that makes a part of a page is given. */
export class ReaderCall implements PageCall {
  readonly #parts: ReaderCallParts;

  constructor(parts: ReaderCallParts) {
    this.#parts = parts;
  }

  get site(): PageSite {
    return this.#parts.place.site;
  }

  get state(): SiteState {
    return this.#parts.place.state;
  }

  get post(): Post | null {
    return this.#parts.post;
  }

  get user(): Caller | null {
    return this.#parts.reader.user;
  }

  can(capability: string): boolean {
    return this.#parts.reader.can(capability);
  }

  setting<T>(name: string): T {
    return this.#parts.settings.value(this.#parts.module, name, this.state) as T;
  }

  get<T>(token: Token<T>): T {
    return this.#parts.get(token);
  }

  get log(): Logger {
    return this.#parts.log;
  }

  get signal(): AbortSignal {
    return this.#parts.signal;
  }

  now(): Date {
    return this.#parts.now();
  }

  /** @param settings names of the settings that the module declares */
  words(settings: readonly string[]): PageCallWords {
    const { site, post, user, state } = this;
    const { blog_id, network_id, url } = site;
    return {
      site: { blog_id, network_id, url },
      post,
      user,
      capabilities: user ? this.get(CapabilityTable).heldBy(state.modules, user.role) : [],
      settings: Object.fromEntries(settings.map((name) => [name, this.setting(name)])),
      now: this.now().getTime(),
      single: this.get(State).single,
    };
  }
}
