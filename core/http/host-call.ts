import type { Logger } from 'pino';
import type { Call, Caller, Credential, Site } from '../api/call.ts';
import type { Token } from '../api/provider.ts';
import type { CapabilityTable } from '../auth/capabilities.ts';
import type { ChosenSite, IdentityRow } from '../auth/identity.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { SiteState } from '../state/site-state.ts';
import type { Standing } from './access.ts';
import type { Addresses } from './addresses.ts';
import { ClientGone } from './client-gone.ts';
import { type ErrorTables, errorTablesOf } from './error-mapper.ts';
import type { Exchange } from './exchange.ts';

const secretHeaders = new Set(['authorization', 'cookie', 'x-svc-nonce', 'x-wp-nonce']);

export interface CallParts {
  readonly exchange: Exchange;
  readonly standing: Standing;
  readonly chosen: { readonly site: ChosenSite; readonly state: SiteState } | null;
  readonly module: ModuleSpec;
  readonly capabilities: CapabilityTable;
  readonly settings: SettingsService;
  readonly addresses: Addresses;
  readonly resolve: <T>(token: Token<T>) => T;
  readonly now: () => Date;
  readonly log: Logger;
  /** Credentials that may not act still name a user to operations that take the cookie alone. */
  readonly cookieAlone: boolean;
}

export function siteOf(row: ChosenSite | IdentityRow, networkId: number, addresses: Addresses): Site {
  const { blog_id, domain, path, title, archived, deleted, spam, is_main_site } = row;
  return {
    blog_id,
    network_id: networkId,
    domain,
    path,
    title,
    public: row.public,
    archived,
    deleted,
    spam,
    is_main_site,
    url: addresses.site(row),
  };
}

function callerIn(row: IdentityRow, onChosenSite: boolean): Caller | null {
  if (row.user_id === null) return null;
  const { login, email, display_name, nicename, first_name, last_name, locale, registered } = row;
  return {
    id: row.user_id,
    login,
    email,
    display_name,
    nicename,
    first_name,
    last_name,
    locale,
    registered,
    role: (onChosenSite ? row.chosen_role : row.role) ?? null,
    super_admin: row.super_admin,
  };
}

/** The call of one request. The abort signal is made only when somebody asks for it. */
export class HostCall implements Call {
  readonly site: Site;
  readonly currentSite: Site;
  readonly user: Caller | null;
  readonly requestId: string;
  readonly ip: string;
  readonly https: boolean;
  readonly state: SiteState;
  readonly #parts: CallParts;
  #abort: AbortController | null = null;
  #late = false;
  #log: Logger | null = null;

  constructor(parts: CallParts) {
    const { exchange, standing, chosen } = parts;
    this.#parts = parts;
    this.currentSite = siteOf(exchange.identity, exchange.identity.network_id, parts.addresses);
    this.site = chosen
      ? siteOf(chosen.site, exchange.identity.network_id, parts.addresses)
      : this.currentSite;
    this.state = chosen?.state ?? exchange.state;
    const named = standing.kind === 'trusted' || parts.cookieAlone;
    this.user = named ? callerIn(exchange.identity, chosen !== null) : null;
    this.requestId = exchange.requestId;
    this.ip = exchange.peer.ip;
    this.https = exchange.peer.https;
  }

  get credential(): Credential {
    const { standing, exchange } = this.#parts;
    const kind = standing.kind === 'trusted' ? standing.by : 'none';
    return {
      kind,
      session: exchange.presented.session,
      applicationPassword: exchange.identity.application_password ?? null,
      proof: standing.kind === 'trusted' && standing.by === 'secret' ? standing.proof : null,
    };
  }

  can(capability: string): boolean {
    const { user } = this;
    if (user === null) return false;
    const { capabilities, exchange } = this.#parts;
    return capabilities.heldAmong(exchange.state.modules, user.role, user.super_admin, capability);
  }

  setting<T>(name: string): T {
    return this.#parts.settings.value(this.#parts.module, name, this.state) as T;
  }

  get<T>(token: Token<T>): T {
    return this.#parts.resolve(token);
  }

  get log(): Logger {
    this.#log ??= this.#parts.log.child({ request_id: this.requestId, module: this.#parts.module.id });
    return this.#log;
  }

  get signal(): AbortSignal {
    if (!this.#abort) {
      const controller = new AbortController();
      this.#abort = controller;
      const { res } = this.#parts.exchange.ctx;
      const gone = (): void => controller.abort(new ClientGone());
      if (res.closed) gone();
      else res.once('close', gone);
      if (this.#late) this.abort();
    }
    return this.#abort.signal;
  }

  /** By whose tables the errors of this request are read. */
  get errorTables(): ErrorTables | null {
    return errorTablesOf(this.#parts.exchange.ctx);
  }

  /** True when the connection ended before the answer was sent. */
  get clientLeft(): boolean {
    const { res } = this.#parts.exchange.ctx;
    return res.destroyed && !res.writableEnded;
  }

  /** Past the time limit: whoever listens to the signal should stop. */
  abort(): void {
    this.#late = true;
    this.#abort?.abort(new Error('The time limit of the operation has passed.'));
  }

  now(): Date {
    return this.#parts.now();
  }

  get userAgent(): string {
    return (this.#parts.exchange.ctx.get('User-Agent') || '').slice(0, 300);
  }

  header(name: string): string {
    return this.#parts.exchange.ctx.get(name);
  }

  /** All headers that say nothing of credentials. */
  get headers(): Readonly<Record<string, string>> {
    const all = Object.keys(this.#parts.exchange.ctx.headers);
    return Object.fromEntries(
      all.filter((name) => !secretHeaders.has(name)).map((name) => [name, this.header(name)]),
    );
  }

  get single(): boolean {
    return this.#parts.addresses.multisite === 'off';
  }
}
