import type { Installed } from '../registry/installed.ts';
import type { SiteState } from '../state/site-state.ts';
import type { SettingsService } from './settings.ts';

/** Settings of the module `host`, which the core itself lives by. */
export class HostSettings {
  readonly #installed: Installed;
  readonly #settings: SettingsService;

  constructor(installed: Installed, settings: SettingsService) {
    this.#installed = installed;
    this.#settings = settings;
  }

  /** The value in force on the site, default filled in. The host cannot run without the module. */
  value<T>(state: SiteState, name: string): T {
    const spec = this.#installed.current.get('host')?.spec;
    if (!spec) throw new Error('The module "host" is not installed.');
    return this.#settings.value(spec, name, state) as T;
  }
}
