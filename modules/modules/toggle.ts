import {
  audit,
  type Call,
  Crashes,
  countFollowers,
  Database,
  fail,
  type InstalledModule,
  Jobs,
  ModuleHooks,
  overrideRule,
  type Refusal,
  refusalOf,
  type Scope,
  type SiteState,
  State,
  standings,
  writeWish,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { mayChangeNetwork } from './rights.ts';

export interface ToggleWish {
  readonly module: InstalledModule;
  readonly scope: Scope;
  /** null removes the site's override. */
  readonly enabled: boolean | null;
  readonly dryRun: boolean;
}

export interface ToggleResult {
  readonly id: string;
  /** Effective state in the scope. */
  readonly enabled: boolean;
  readonly scope: Scope;
  readonly locked: boolean;
  readonly dry_run?: true;
  readonly routes?: readonly string[];
  readonly jobs_pending?: number;
  readonly sites?: number;
}

/** Decides and writes a wish in one transaction: refusals are judged by the state that nobody can change meanwhile. */
export function toggle(call: Call, wish: ToggleWish): Promise<ToggleResult> {
  return call.get(Database).transaction(async (trx) => {
    const site = await call.get(State).lock(trx, call.site.blog_id);
    refuse(call, wish, site);
    const present = presentWish(call, wish, site);
    if (wish.dryRun) return foretell(call, trx, wish, site, present);
    if (present !== wish.enabled || clearsCrash(call, wish, site))
      await write(call, trx, wish, site, present);
    return result(call, wish, await call.get(State).lock(trx, call.site.blog_id));
  });
}

/**
 * Whether the toggle takes the error of a crashed module away. The module is off in the whole installation, so a
 * site's administrator alone cannot have it back.
 */
const clearsCrash = (call: Call, { module, enabled }: ToggleWish, site: SiteState): boolean =>
  enabled === true && site.crashed.has(module.id) && mayChangeNetwork(call);

/** Where only one site exists both scopes are one value: the network's. */
const keptScope = (call: Call, scope: Scope): Scope => (call.single ? 'network' : scope);

/** The value that would be replaced: an override or null, or the network's value; to a reset, a wish or null. */
function presentWish(call: Call, wish: ToggleWish, site: SiteState): boolean | null {
  const { id, spec } = wish.module;
  const scope = keptScope(call, wish.scope);
  const written = site.wishes[scope].get(id) ?? null;
  if (scope === 'site' || wish.enabled === null) return written;
  return written ?? spec?.defaultEnabled ?? false;
}

/** Standing of every module in the scope: sites' overrides do not count for the network. */
function standingsIn(call: Call, scope: Scope, site: SiteState) {
  if (keptScope(call, scope) === 'site') return site.standings;
  const wishes = { network: site.wishes.network, site: new Map<string, boolean>() };
  return standings(call.get(State).modules, wishes, site.facts);
}

function refuse(call: Call, wish: ToggleWish, site: SiteState): void {
  const { modules } = call.get(State);
  const refusal = refusalOf({
    module: { ...wish.module, error: wish.module.error ?? stillCrashed(call, wish, site) },
    enabled: wish.enabled ?? inherited(wish, site),
    allowedScopes: allowedScopes(call, wish.module, site),
    scope: wish.scope,
    standings: standingsIn(call, wish.scope, site),
    modules,
    facts: site.facts,
  });
  if (refusal)
    fail('module_toggle_refused', { data: { ...refusal }, message: wordsFor(wish.module.id, refusal) });
}

const stillCrashed = (call: Call, wish: ToggleWish, site: SiteState) =>
  clearsCrash(call, wish, site) ? null : (site.crashed.get(wish.module.id) ?? null);

/** What a site falls back to without its override. */
const inherited = ({ module }: ToggleWish, site: SiteState): boolean =>
  site.wishes.network.get(module.id) ?? module.spec?.defaultEnabled ?? false;

function allowedScopes(call: Call, module: InstalledModule, site: SiteState): readonly Scope[] {
  const scopes = module.spec?.scopes ?? ['network', 'site'];
  if (call.single) return ['network', 'site'];
  const rule = overrideRule(site.networkOptions);
  return rule.siteOverrides && !rule.noOverride.has(module.id)
    ? scopes
    : scopes.filter((scope) => scope !== 'site');
}

function wordsFor(id: string, refusal: Refusal): string {
  switch (refusal.reason) {
    case 'locked':
      return `The module ${id} is always on.`;
    case 'scope':
      return `The module ${id} cannot be switched in this scope.`;
    case 'condition':
      return `The condition "${refusal.condition}" of the module ${id} is not met.`;
    case 'requires':
      return `The module ${id} requires modules that are off: ${refusal.modules.join(', ')}.`;
    case 'required_by':
      return `Modules that are on require the module ${id}: ${refusal.modules.join(', ')}.`;
  }
}

async function write(
  call: Call,
  trx: Knex.Transaction,
  wish: ToggleWish,
  before: SiteState,
  present: boolean | null,
): Promise<void> {
  const { module, enabled } = wish;
  const scope = keptScope(call, wish.scope);
  const { blog_id, network_id } = call.site;
  if (present !== enabled) await writeWish(trx, { scope, network_id, blog_id }, module.id, enabled);
  const error = clearsCrash(call, wish, before) ? (before.crashed.get(module.id) ?? null) : null;
  if (error) await call.get(Crashes).clear(trx, module.id);
  const wasOn = standingsIn(call, scope, before).get(module.id)?.enabled ?? false;
  const after = await call.get(State).lock(trx, blog_id);
  const isOn = standingsIn(call, scope, after).get(module.id)?.enabled ?? false;
  if (module.spec && wasOn !== isOn) {
    const place = { scope, network_id, blog_id: scope === 'site' ? blog_id : null };
    try {
      await call.get(ModuleHooks).toggled(trx, module.spec, isOn ? 'onEnabled' : 'onDisabled', place);
    } catch (error) {
      fail('module_enable_failed', { cause: error });
    }
  }
  const subject = `module:${module.id}`;
  if (error) {
    const action = 'module.error';
    await audit(trx, call, { module: 'modules', action, subject, blogId: null, from: error, to: null });
  }
  if (present === enabled) return;
  await audit(trx, call, {
    module: 'modules',
    action: enabled === null ? 'module.reset' : 'module.toggle',
    scope,
    subject,
    blogId: scope === 'site' ? blog_id : null,
    from: present,
    to: enabled,
  });
}

function result(call: Call, { module, scope }: ToggleWish, site: SiteState): ToggleResult {
  const enabled = standingsIn(call, scope, site).get(module.id)?.enabled ?? false;
  return { id: module.id, enabled, scope, locked: module.spec?.locked ?? false };
}

/** What the toggle would answer and touch. */
async function foretell(
  call: Call,
  trx: Knex.Transaction,
  wish: ToggleWish,
  site: SiteState,
  present: boolean | null,
): Promise<ToggleResult> {
  const { module, scope } = wish;
  const changes = present !== wish.enabled || clearsCrash(call, wish, site);
  const enabled = wish.enabled ?? inherited(wish, site);
  const kept = keptScope(call, scope);
  const sites = kept === 'site' ? 1 : await countFollowers(trx, call.site.network_id, module.id);
  const blogId = kept === 'site' ? call.site.blog_id : null;
  const pending = await call.get(Jobs).countPending(trx, module.id, call.site.network_id, blogId);
  const routes = (module.spec?.operations ?? []).map(({ method, path }) => `${method} ${path}`).sort();
  return {
    ...result(call, wish, site),
    enabled,
    dry_run: true,
    routes: changes ? routes : [],
    jobs_pending: changes ? pending : 0,
    sites: changes ? sites : 0,
  };
}
