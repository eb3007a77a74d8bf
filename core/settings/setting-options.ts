import type { SettingDeclaration } from '../api/module.ts';
import type { ModuleSpec } from '../registry/spec.ts';

type Options = ReadonlyMap<string, unknown>;

/** Name of the option that keeps a setting: `module:<id>:<name>`, or the plain one that it was declared with. */
export function optionOf(moduleId: string, name: string, setting: SettingDeclaration | undefined): string {
  const stored = setting?.stored;
  if (!stored) return `module:${moduleId}:${name}`;
  return 'option' in stored ? stored.option : stored.siteColumn;
}

/** The stored value of a setting (a secret still encrypted), its default, or undefined for an undeclared name. */
export function settingFrom(spec: ModuleSpec, name: string, network: Options, site: Options): unknown {
  const setting = spec.settings[name];
  if (!setting || !Object.hasOwn(spec.settings, name)) return undefined;
  const options = setting.scope === 'network' ? network : site;
  const stored = options.get(optionOf(spec.id, name, setting));
  return stored === undefined || stored === null ? setting.default : stored;
}
