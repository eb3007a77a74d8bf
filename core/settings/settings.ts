import type { Knex } from 'knex';
import * as yup from 'yup';
import type { SettingDeclaration } from '../api/module.ts';
import { invalidParams, Problems } from '../http/input.ts';
import { allowOption } from '../outbound/allow-list.ts';
import { addressProblem } from '../outbound/called-address.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import { bumpRevision, type SiteState } from '../state/site-state.ts';
import { type Keys, maskedSecret } from './secrets.ts';
import { optionOf, settingFrom } from './setting-options.ts';

export interface SettingChange {
  readonly name: string;
  readonly setting: SettingDeclaration;
  /** null restores the default. */
  readonly value: unknown;
}

/** Where a setting stands in the body of a request: a prefix of its name, or a function of it. */
export type SettingPath = string | ((name: string) => string);

const pathOf = (path: SettingPath, name: string): string =>
  typeof path === 'string' ? `${path}${name}` : path(name);

/** Reads and writes the settings of modules; one store, whichever route asks. */
export class SettingsService {
  readonly #keys: Keys;

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  /** The value in force on the site, a secret in clear. */
  value(spec: ModuleSpec, name: string, state: SiteState): unknown {
    const stored = settingFrom(spec, name, state.networkOptions, state.siteOptions);
    return spec.settings[name]?.secret ? this.#keys.open(stored) : stored;
  }

  /** The value as shown: a secret reads `********`, or null when there is none. */
  shown(spec: ModuleSpec, name: string, state: SiteState): unknown {
    const value = this.value(spec, name, state);
    return spec.settings[name]?.secret ? (value === null ? null : maskedSecret) : value;
  }

  /** All settings of a module as shown, by name. */
  all(spec: ModuleSpec, state: SiteState): Record<string, unknown> {
    return Object.fromEntries(
      Object.keys(spec.settings).map((name) => [name, this.shown(spec, name, state)]),
    );
  }

  /**
   * Checks given values against their schemas; unknown names are ignored, as keys outside a schema always are.
   * @throws `rest_invalid_param`, `data.params` by the path of each
   */
  check(spec: ModuleSpec, given: Readonly<Record<string, unknown>>, path: SettingPath): SettingChange[] {
    const problems = new Problems();
    const changes: SettingChange[] = [];
    for (const [name, setting] of Object.entries(spec.settings)) {
      if (!Object.hasOwn(given, name)) continue;
      const value = given[name];
      if (setting.secret && value === maskedSecret) continue;
      // A column has no default to fall back to but the declared one, which may be no value that one could give.
      const read =
        value === null && setting.stored && 'siteColumn' in setting.stored ? setting.default : value;
      if (read !== null) checkValue(setting, read, pathOf(path, name), problems);
      changes.push({ name, setting, value });
    }
    if (Object.keys(problems.invalid).length > 0) invalidParams(problems.invalid);
    return changes;
  }

  /**
   * Checks what the changes would make of the settings together, and addresses against `outbound_allow`. Called where `state` cannot change any more.
   * @throws `rest_invalid_param` as `check` does
   */
  checkTogether(
    spec: ModuleSpec,
    changes: readonly SettingChange[],
    state: SiteState,
    site: { readonly url: string },
    path: SettingPath,
  ): void {
    const changed = new Map(changes.map(({ name, setting, value }) => [name, value ?? setting.default]));
    const problems = new Problems();
    const allowed = (state.networkOptions.get(allowOption) ?? []) as readonly string[];
    for (const { name, setting, value } of changes) {
      if (!setting.called || typeof value !== 'string' || value === '') continue;
      const problem = addressProblem(value, allowed);
      if (problem !== null) problems.add(pathOf(path, name), problem);
    }
    for (const rule of spec.settingRules) {
      const written = rule.of.find((name) => changed.has(name));
      if (written === undefined) continue;
      const values = rule.of.map((name) => [
        name,
        changed.has(name) ? changed.get(name) : this.value(spec, name, state),
      ]);
      const problem = rule.problem(Object.fromEntries(values), site);
      if (problem !== null) problems.add(pathOf(path, written), problem);
    }
    problems.throwIfAny();
  }

  /** Writes checked changes for the site and its network and announces them. */
  async write(
    trx: Knex.Transaction,
    spec: ModuleSpec,
    changes: readonly SettingChange[],
    site: { readonly blog_id: number; readonly network_id: number },
  ): Promise<void> {
    for (const change of changes) await this.#writeOne(trx, spec, change, site);
    if (changes.length > 0) await bumpRevision(trx);
  }

  async #writeOne(
    trx: Knex.Transaction,
    spec: ModuleSpec,
    { name, setting, value }: SettingChange,
    site: { readonly blog_id: number; readonly network_id: number },
  ): Promise<void> {
    const option = optionOf(spec.id, name, setting);
    const { stored } = setting;
    if (stored && 'siteColumn' in stored) {
      await trx('sites')
        .where({ blog_id: site.blog_id })
        .update({ [stored.siteColumn]: value ?? setting.default, last_updated: trx.fn.now() });
      return;
    }
    const [table, owner] =
      setting.scope === 'network'
        ? (['network_options', { network_id: site.network_id }] as const)
        : (['site_options', { blog_id: site.blog_id }] as const);
    if (value === null) {
      await trx(table)
        .where({ ...owner, name: option })
        .delete();
      return;
    }
    const kept = setting.secret ? this.#keys.seal(String(value)) : value;
    await trx(table)
      .insert({ ...owner, name: option, value: JSON.stringify(kept) })
      .onConflict([...Object.keys(owner), 'name'])
      .merge(['value']);
  }
}

function checkValue(setting: SettingDeclaration, value: unknown, path: string, problems: Problems): void {
  try {
    setting.schema.validateSync(value, { strict: true, abortEarly: true });
  } catch (error) {
    if (!(error instanceof yup.ValidationError)) throw error;
    problems.add(path, error.message);
  }
}
