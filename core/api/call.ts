import type { Logger } from 'pino';
import type { SiteState } from '../state/site-state.ts';
import type { Actor } from './actor.ts';
import type { Token } from './provider.ts';
import type { Proof } from './secret.ts';

/** The site a request is about. Flags are 0 or 1, as in the contract. */
export interface Site {
  readonly blog_id: number;
  readonly network_id: number;
  readonly domain: string;
  readonly path: string;
  readonly title: string;
  readonly public: number;
  readonly archived: number;
  readonly deleted: number;
  readonly spam: number;
  readonly is_main_site: boolean;
  /** Absolute public URL, ending with `/`. Built from stored values, never from the request. */
  readonly url: string;
}

/** The signed-in caller, with his standing on the call's site. */
export interface Caller {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly display_name: string;
  readonly nicename: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly locale: string;
  readonly registered: string;
  /** Role on the call's site; null without membership. */
  readonly role: string | null;
  /** Super admin of the call's network. */
  readonly super_admin: boolean;
}

/** How the caller proved who he is. `session` is null unless by cookie; it is the SHA-256 of the token. */
export interface Credential {
  readonly kind: 'none' | 'session' | 'application-password' | 'secret';
  readonly session: Buffer | null;
  readonly applicationPassword: string | null;
  /** Of a secret that a module knows; null for every other kind. */
  readonly proof: Proof | null;
}

/** What every handler is given beside its input. */
export interface Call extends Actor {
  /** The current site, or the one that `blog_id` selected. */
  readonly site: Site;
  /** The site that the address leads to; differs from `site` only when `blog_id` selected another. */
  readonly currentSite: Site;
  /** null for nobody. */
  readonly user: Caller | null;
  readonly credential: Credential;
  /** Which modules are on for `site`, and its options: one moment for the whole request. */
  readonly state: SiteState;
  /** Whether the caller holds the capability on `site`. False for nobody. */
  can(capability: string): boolean;
  /** Value of a setting of the handler's module on `site`, default filled in. */
  setting<T = unknown>(name: string): T;
  /** A service of the module, of a module it requires, or of the host. */
  get<T>(token: Token<T>): T;
  readonly log: Logger;
  /** Aborts when the client goes or the time limit passes. */
  readonly signal: AbortSignal;
  now(): Date;
  readonly requestId: string;
  /** Address of the client; of the proxy's client when the proxy is trusted. */
  readonly ip: string;
  /** True when the client's connection is known to be encrypted: by TLS here, or by the word of a trusted proxy. */
  readonly https: boolean;
  readonly userAgent: string;
  /** A header of the request, its name in lower case; empty when absent. Never for credentials. */
  header(name: string): string;
  /** True on an installation of a single site. */
  readonly single: boolean;
}

/** The caller of an operation that nobody may use anonymously. */
export function callerOf(call: Call): Caller {
  if (!call.user)
    throw new Error('The operation is open to anonymous callers, but its handler needs a user.');
  return call.user;
}
