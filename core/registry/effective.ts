import type { Condition } from '../api/conditions.ts';
import { type InstalledModules, type LoadError, loadedCondition, type ModuleSpec, specs } from './spec.ts';

/** What the installation wishes; results are always computed, never stored. */
export interface Wishes {
  readonly network: ReadonlyMap<string, boolean>;
  /** Overrides of one site; empty when asking for the network scope. */
  readonly site: ReadonlyMap<string, boolean>;
}

/** What conditions are evaluated against, beside the modules themselves. */
export interface Facts {
  readonly networkCommitted: boolean;
  /** Modules that are off because they crashed too often. */
  readonly crashed: ReadonlyMap<string, LoadError>;
  setting(module: ModuleSpec, name: string): unknown;
  commandFound(name: string): boolean;
}

export type Reason = 'disabled' | 'requires' | 'condition' | 'error';

/** `reason` is null exactly when the module is on. */
export interface Standing {
  readonly enabled: boolean;
  readonly reason: Reason | null;
}

/** The wish that counts for a module, before `requires` and conditions. */
export function wished(spec: ModuleSpec, wishes: Wishes): boolean {
  if (spec.locked) return true;
  const site = spec.scopes.includes('site') ? wishes.site.get(spec.id) : undefined;
  return site ?? wishes.network.get(spec.id) ?? spec.defaultEnabled;
}

/** on = loads && (locked || wish) && requires on && conditions hold, for every installed module. */
export function standings(
  modules: InstalledModules,
  wishes: Wishes,
  facts: Facts,
): ReadonlyMap<string, Standing> {
  const known = new Map<string, Standing>();
  const asking = new Set<string>();

  const standing = (id: string): Standing => {
    const found = known.get(id);
    if (found) return found;
    // A circle of requirements: nobody in it can be on first.
    if (asking.has(id)) return { enabled: false, reason: 'requires' };
    asking.add(id);
    const reason = whyOff(id);
    asking.delete(id);
    const result: Standing = { enabled: reason === null, reason };
    known.set(id, result);
    return result;
  };

  const whyOff = (id: string): Reason | null => {
    const module = modules.get(id);
    if (!module?.served || !module.spec || facts.crashed.has(id)) return 'error';
    const spec = module.spec;
    if (!wished(spec, wishes)) return 'disabled';
    if (spec.requires.some((other) => !standing(other).enabled)) return 'requires';
    if (spec.conditions.some((condition) => !holds(condition.when, spec))) return 'condition';
    return null;
  };

  const holds = (when: Condition, spec: ModuleSpec): boolean =>
    conditionHolds(when, spec, modules, facts, (id) => standing(id).enabled);

  for (const id of modules.keys()) standing(id);
  return known;
}

/** Whether a condition of `spec` is met; `isOn` answers for other modules. */
export function conditionHolds(
  when: Condition,
  spec: ModuleSpec,
  modules: InstalledModules,
  facts: Facts,
  isOn: (id: string) => boolean,
): boolean {
  const ask = (inner: Condition): boolean => conditionHolds(inner, spec, modules, facts, isOn);
  switch (when.kind) {
    case 'installed': {
      const module = modules.get(when.id);
      return module?.served ?? false;
    }
    case 'moduleOn':
      return isOn(when.id);
    case 'settingIs':
      return facts.setting(spec, when.name) === when.value;
    case 'networkCommitted':
      return facts.networkCommitted;
    case 'commandFound':
      return facts.commandFound(when.name);
    case 'all':
      return when.of.every(ask);
    case 'any':
      return when.of.some(ask);
    case 'not':
      return !ask(when.of);
  }
}

/** Ids of modules that name `id` in `requires`. */
export function requiredBy(modules: InstalledModules, id: string): string[] {
  return [...specs(modules)].filter((spec) => spec.requires.includes(id)).map((spec) => spec.id);
}

/** Why a toggle is refused; null when it may happen. */
export type Refusal =
  | { readonly reason: 'locked' }
  | { readonly reason: 'scope'; readonly scopes: readonly string[] }
  | { readonly reason: 'condition'; readonly condition: string }
  | { readonly reason: 'requires' | 'required_by'; readonly modules: readonly string[] };

export interface ToggleQuestion {
  readonly module: { readonly id: string; readonly spec: ModuleSpec | null; readonly error: unknown };
  readonly enabled: boolean;
  /** Scopes in which the network lets this module be switched. */
  readonly allowedScopes: readonly string[];
  readonly scope: string;
  readonly standings: ReadonlyMap<string, Standing>;
  readonly modules: InstalledModules;
  readonly facts: Facts;
}

/** The first refusal that applies, in the order that clients rely on. */
export function refusalOf(question: ToggleQuestion): Refusal | null {
  const { module, modules, facts } = question;
  const isOn = (id: string): boolean => question.standings.get(id)?.enabled ?? false;
  if (module.spec?.locked) return { reason: 'locked' };
  if (!question.allowedScopes.includes(question.scope)) {
    return { reason: 'scope', scopes: question.allowedScopes };
  }
  if (!question.enabled) {
    const dependents = requiredBy(modules, module.id).filter(isOn);
    return dependents.length > 0 ? { reason: 'required_by', modules: dependents } : null;
  }
  const spec = module.spec;
  if (module.error || !spec) return { reason: 'condition', condition: loadedCondition };
  const unmet = spec.conditions.find(({ when }) => !conditionHolds(when, spec, modules, facts, isOn));
  if (unmet) return { reason: 'condition', condition: unmet.id };
  const missing = spec.requires.filter((id) => !isOn(id));
  return missing.length > 0 ? { reason: 'requires', modules: missing } : null;
}
