import type { Logger } from 'pino';
import { isCoded } from '../api/errors.ts';
import { hostBlogCodes } from '../api/host-errors.ts';
import type { Token } from '../api/provider.ts';
import type { SecretDeclaration } from '../api/secret.ts';
import type { CapabilityTable } from '../auth/capabilities.ts';
import type { ChosenSite } from '../auth/identity.ts';
import type { Nonces } from '../auth/nonces.ts';
import type { Database } from '../db/database.ts';
import { asModule } from '../isolation/running.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { SiteState } from '../state/site-state.ts';
import { askAccess, checkAccess, credentialsSuffice, type Standing, standingOf } from './access.ts';
import type { Addresses } from './addresses.ts';
import { type Admitted, admitBySecret, anonymousOf } from './admit-by-secret.ts';
import { refuseBlog, refuseClosed, refuseUnavailable } from './chosen-site.ts';
import { grantInstead } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { HostCall } from './host-call.ts';
import type { CompiledOperation, RouteMatch } from './route-table.ts';
import { type HandlerGuard, withinTime } from './run-handler.ts';

export interface AdmissionParts {
  readonly db: Database;
  readonly nonces: Nonces;
  readonly capabilities: CapabilityTable;
  readonly settings: SettingsService;
  readonly addresses: Addresses;
  readonly resolve: (module: ModuleSpec) => <T>(token: Token<T>) => T;
  readonly now: () => Date;
  readonly log: Logger;
  readonly guard: HandlerGuard;
}

type Selected = { readonly site: ChosenSite; readonly state: SiteState } | null;

/** The site that the request chose: null for that of its address, `unknown` for none of the network. */
export type Chosen = Selected | 'unknown';

/** Finds who asks for an operation, and lets in whom its declaration lets in. */
export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** The call of somebody who may use the operation on the site that was chosen. */
  async admit(
    came: Exchange,
    compiled: CompiledOperation,
    match: RouteMatch,
    chosen: Chosen,
  ): Promise<HostCall> {
    const { operation, module } = compiled;
    const { access } = operation;
    await this.#grantOrigin(came, compiled, match);
    const { exchange, standing } =
      'secret' in access
        ? await this.#bySecret(came, compiled, match, access.secret)
        : this.#byCredentials(came, compiled);
    const call = this.#callFor(exchange, compiled, standing, chosen === 'unknown' ? null : chosen);
    if ('check' in access) {
      await this.#parts.guard.run(operation.id, module, call, () =>
        asModule(module.id, () => askAccess(access, call, match.params)),
      );
    } else checkAccess(access, call);
    if (chosen === 'unknown') refuseBlog(exchange, call.single, operation.blogCodes ?? hostBlogCodes);
    else if (chosen) refuseUnavailable(call, chosen.site);
    return call;
  }

  /** What pages of other origins may read, where the operation and not the site says so. */
  async #grantOrigin(came: Exchange, compiled: CompiledOperation, match: RouteMatch): Promise<void> {
    const { operation, module } = compiled;
    const { crossOrigin } = operation;
    if (!crossOrigin) return;
    const origin = came.ctx.get('Origin');
    const call = this.#callFor(anonymousOf(came), compiled, { kind: 'nobody' }, null);
    const isAllowed =
      origin !== '' &&
      (await this.#parts.guard.run(operation.id, module, call, async () =>
        withinTime(compiled, call, () => crossOrigin(origin, call, match.params)),
      ));
    grantInstead(came.ctx, isAllowed === true);
  }

  #byCredentials(exchange: Exchange, { operation }: CompiledOperation): Admitted {
    const standing = standingOf(exchange, this.#parts.nonces);
    credentialsSuffice(operation.access, standing, exchange.identity.user_id !== null);
    return { exchange, standing };
  }

  async #bySecret(
    came: Exchange,
    compiled: CompiledOperation,
    match: RouteMatch,
    secret: SecretDeclaration,
  ): Promise<Admitted> {
    const { operation, module } = compiled;
    const anonymous = anonymousOf(came);
    const call = this.#callFor(anonymous, compiled, { kind: 'nobody' }, null);
    try {
      const admitted = await admitBySecret(this.#parts.db, anonymous, secret, (presented) =>
        this.#parts.guard.run(operation.id, module, call, async () =>
          withinTime(compiled, call, () => secret.recognise(presented, call, match.params)),
        ),
      );
      refuseClosed(admitted.exchange.identity);
      return admitted;
    } catch (error) {
      // Whether the site is there comes before who asks.
      if (isCoded(error)) refuseClosed(anonymous.identity);
      throw error;
    }
  }

  #callFor(exchange: Exchange, compiled: CompiledOperation, standing: Standing, chosen: Selected): HostCall {
    const { capabilities, settings, addresses, now, log, resolve } = this.#parts;
    const { access } = compiled.operation;
    return new HostCall({
      exchange,
      standing,
      chosen,
      module: compiled.module,
      capabilities,
      settings,
      addresses,
      resolve: resolve(compiled.module),
      now,
      log,
      cookieAlone: 'signedIn' in access && access.withoutNonce !== undefined,
    });
  }
}
