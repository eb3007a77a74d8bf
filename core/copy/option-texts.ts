import type { SettingDeclaration } from '../api/module.ts';
import { type InstalledModules, specs } from '../registry/spec.ts';
import { optionOf } from '../settings/setting-options.ts';
import type { SiteOption } from './copy-options-store.ts';
import { mapStrings } from './map-strings.ts';
import type { TextChange } from './site-texts.ts';

/** Changes the texts of a site's options and settings. */
export class OptionTexts {
  readonly #settings: ReadonlyMap<string, SettingDeclaration>;

  constructor(modules: InstalledModules) {
    this.#settings = new Map(
      [...specs(modules)].flatMap((spec) =>
        Object.entries(spec.settings).map(
          ([name, setting]) => [optionOf(spec.id, name, setting), setting] as const,
        ),
      ),
    );
  }

  /** The very same option when nothing in it changes, when it is a secret, or when its setting would not take it. */
  changed(option: SiteOption, change: TextChange): SiteOption {
    const setting = this.#settings.get(option.name);
    if (isSecret(setting, option.value)) return option;
    const value = mapStrings(option.value, change);
    return value === option.value || !fits(setting, value) ? option : { ...option, value };
  }
}

/** A sealed value is a secret also while nobody declares it: its module may be away. */
const isSecret = (setting: SettingDeclaration | undefined, value: unknown): boolean =>
  setting?.secret === true || Object.hasOwn(Object(value), 'sealed');

/** An address may not become what the setting does not take, such as an origin one with a path. */
const fits = (setting: SettingDeclaration | undefined, value: unknown): boolean =>
  setting === undefined || setting.schema.isValidSync(value, { strict: true });
