import type { Nonces } from '../../auth/nonces.ts';
import type { Crashes } from '../../isolation/crashes.ts';
import type { ModuleSpec } from '../../registry/spec.ts';
import type { Uses } from '../../registry/uses.ts';
import { standingOf } from '../access.ts';
import type { ErrorMapper } from '../error-mapper.ts';
import type { Exchange } from '../exchange.ts';
import { type CallParts, HostCall } from '../host-call.ts';
import { HandlerGuard, withinTime } from '../run-handler.ts';

export interface SiteCallParts
  extends Pick<CallParts, 'capabilities' | 'settings' | 'addresses' | 'now' | 'log'> {
  readonly uses: Uses;
  readonly nonces: Nonces;
  readonly errors: ErrorMapper;
  readonly crashes: Crashes;
  readonly resolve: (module: ModuleSpec) => CallParts['resolve'];
}

/** Milliseconds that a page or the look-up of a file may take, as an operation that says nothing. */
const timeoutMs = 30_000;

/** A request for what a module shows below a site, outside of the API. */
export interface SiteCall {
  readonly call: HostCall;
  /** Runs code of the module as an operation's handler is run: within time, its faults being the module's. */
  readonly run: <T>(act: () => T | Promise<T>) => Promise<T>;
}

/** @param shown id of the page or area, and its module */
export function siteCall(
  parts: SiteCallParts,
  { id, module }: { readonly id: string; readonly module: ModuleSpec },
  exchange: Exchange,
): SiteCall {
  exchange.ctx.state.operation = id;
  exchange.ctx.state.spec = module;
  exchange.ctx.res.once('close', parts.uses.enter(module));
  const call = new HostCall({
    ...parts,
    exchange,
    module,
    standing: standingOf(exchange, parts.nonces),
    chosen: null,
    resolve: parts.resolve(module),
    cookieAlone: false,
  });
  const guard = new HandlerGuard(parts.errors, parts.crashes);
  return {
    call,
    run: <T>(act: () => T | Promise<T>) =>
      guard.run(id, module, call, async () => (await withinTime({ module, timeoutMs }, call, act)) as T),
  };
}
