import * as yup from 'yup';
import type { MetaDeclaration } from '../api/module.ts';
import { Problems } from '../http/input.ts';
import type { Installed } from '../registry/installed.ts';
import { type InstalledModules, type ModuleSpec, specs } from '../registry/spec.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { SiteState } from '../state/site-state.ts';

/** A registered key and the module that registers it. */
export interface RegisteredMeta extends MetaDeclaration {
  readonly spec: ModuleSpec;
}

/** Registered keys by `<post|term> <type or taxonomy>`. */
type Registered = ReadonlyMap<string, ReadonlyMap<string, RegisteredMeta>>;

/** Meta of a record by key. */
export type MetaValues = Readonly<Record<string, unknown>>;

const keyForm = /^[A-Za-z0-9_.:-]{1,100}$/;

/** Keys that one record may have. */
const mostKeys = 1_000;

/** Meta keys of all installed modules: how a client's values are checked, and what is shown. */
export class MetaKeys {
  readonly #settings: SettingsService;
  readonly #registered: () => Registered;

  constructor(installed: Installed, settings: SettingsService) {
    this.#settings = settings;
    this.#registered = installed.derive(registered);
  }

  /** Registered keys of a post type or taxonomy, by key; whether their modules are on or off. */
  of(on: 'post' | 'term', of: string): ReadonlyMap<string, RegisteredMeta> {
    return this.#registered().get(`${on} ${of}`) ?? new Map();
  }

  /**
   * Checks what a client gives: free keys by their form, registered ones by their schema, and null, which removes.
   * A registered key is checked even while its module is off, so that its data is right when it is on again.
   * @param stored what the record has already
   * @returns the normalised values
   * @throws `rest_invalid_param` with `data.params["meta.<key>"]`
   */
  check(on: 'post' | 'term', of: string, given: MetaValues, stored: MetaValues): MetaValues {
    const problems = new Problems();
    const checked: Record<string, unknown> = {};
    const registered = this.of(on, of);
    for (const [key, value] of Object.entries(given)) {
      const meta = registered.get(key);
      const problem = problemOf(key, meta, value, stored[key]);
      if (problem) problems.add(`meta.${key.slice(0, 100)}`, problem);
      else checked[key] = meta && value !== null ? normalized(meta, value) : value;
    }
    if (Object.keys({ ...stored, ...checked }).length > mostKeys) {
      problems.add('meta', `must have at most ${mostKeys} keys`);
    }
    problems.throwIfAny();
    return checked;
  }

  /**
   * What of the values of a new record may be stored, by the rules of `check`; the others are left out and named
   * with their problems. For data from elsewhere, of which the good part shall come in.
   */
  fitting(
    on: 'post' | 'term',
    of: string,
    given: MetaValues,
  ): { readonly kept: MetaValues; readonly refused: ReadonlyMap<string, string> } {
    const kept: Record<string, unknown> = {};
    const refused = new Map<string, string>();
    const registered = this.of(on, of);
    let room = mostKeys;
    for (const [key, value] of Object.entries(given)) {
      const meta = registered.get(key);
      const problem = room > 0 ? problemOf(key, meta, value, undefined) : `comes after ${mostKeys} others`;
      if (problem) {
        refused.set(key, problem);
        continue;
      }
      kept[key] = meta && value !== null ? normalized(meta, value) : value;
      room -= 1;
    }
    return { kept, refused };
  }

  /** What is stored, and the defaults of keys whose modules are on for the site. */
  shown(on: 'post' | 'term', of: string, stored: MetaValues, site: SiteState): MetaValues {
    const shown: Record<string, unknown> = {};
    for (const [key, meta] of this.of(on, of)) {
      if (Object.hasOwn(stored, key) || !site.isOn(meta.spec.id)) continue;
      const standard = meta.defaultSetting
        ? this.#settings.value(meta.spec, meta.defaultSetting, site)
        : meta.default;
      if (standard !== undefined) shown[key] = standard;
    }
    return { ...stored, ...shown };
  }
}

function registered(modules: InstalledModules): Registered {
  const found = new Map<string, Map<string, RegisteredMeta>>();
  for (const spec of specs(modules)) {
    for (const meta of spec.meta) {
      for (const of of meta.of) {
        const place = `${meta.on} ${of}`;
        found.set(place, new Map([...(found.get(place) ?? []), [meta.key, { ...meta, spec }]]));
      }
    }
  }
  return found;
}

const problemOf = (
  key: string,
  meta: RegisteredMeta | undefined,
  value: unknown,
  stored: unknown,
): string | null => keyProblem(key) ?? (meta ? ruleProblem(meta, value, stored) : null);

function keyProblem(key: string): string | null {
  if (key.startsWith('_')) return 'is a private key';
  return keyForm.test(key) ? null : 'must be a key of 1 to 100 characters A-Z a-z 0-9 _ . : -';
}

const normalized = (meta: RegisteredMeta, value: unknown): unknown =>
  meta.normalize ? meta.normalize(value) : value;

function ruleProblem(meta: RegisteredMeta, given: unknown, stored: unknown): string | null {
  if (meta.readOnly) {
    // A client that sends back what it was shown changes nothing.
    return JSON.stringify(given) === JSON.stringify(stored ?? null) ? null : 'is read-only';
  }
  if (given === null) return null;
  try {
    meta.schema.validateSync(normalized(meta, given), { strict: true, abortEarly: true });
    return null;
  } catch (error) {
    if (!(error instanceof yup.ValidationError)) throw error;
    return error.path ? `${error.path} ${error.message}` : error.message;
  }
}

/** Stored values with the changes: null removes a key. */
export function mergeMeta(stored: MetaValues, changes: MetaValues): MetaValues {
  const merged = Object.entries({ ...stored, ...changes }).filter(([, value]) => value !== null);
  return Object.fromEntries(merged);
}
