/**
 * Conditions are data: the registry evaluates them against the current snapshot, the module list shows
 * them, and nothing of a module runs to decide whether it may be on.
 */
export type Condition =
  | { readonly kind: 'installed'; readonly id: string }
  | { readonly kind: 'moduleOn'; readonly id: string }
  | { readonly kind: 'settingIs'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'networkCommitted' }
  | { readonly kind: 'commandFound'; readonly name: string }
  | { readonly kind: 'all'; readonly of: readonly Condition[] }
  | { readonly kind: 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition };

/** True while a package with this module id is installed and loads, on or off. */
export const installed = (id: string): Condition => ({ kind: 'installed', id });

/** True while this module is effectively on for the site in question. */
export const moduleOn = (id: string): Condition => ({ kind: 'moduleOn', id });

/** True while a setting of the declaring module has exactly this value on the site in question. */
export const settingIs = (name: string, value: unknown): Condition => ({ kind: 'settingIs', name, value });

/** True while a multi-network setup is committed on the installation. */
export const networkCommitted = (): Condition => ({ kind: 'networkCommitted' });

/** True while an executable of this name is found: `<NAME>_PATH`, else the `PATH`. Looked up when packages are read. */
export const commandFound = (name: string): Condition => ({ kind: 'commandFound', name });

/** True when every one of the conditions is. */
export const all = (...of: readonly Condition[]): Condition => ({ kind: 'all', of });

/** True when at least one of the conditions is. */
export const any = (...of: readonly Condition[]): Condition => ({ kind: 'any', of });

/** True when the condition is not. */
export const not = (of: Condition): Condition => ({ kind: 'not', of });

/** A condition with the name and the words under which operators see it. */
export interface NamedCondition {
  readonly id: string;
  readonly title: string;
  readonly when: Condition;
}
