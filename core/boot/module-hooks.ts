import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Hooks, HookTools, SiteRef, ToggleRef } from '../api/module.ts';
import type { Installed } from '../registry/installed.ts';
import { type ModuleSpec, specs } from '../registry/spec.ts';
import type { Services } from './container.ts';
import { withinLimit } from './module-start.ts';

/** Runs modules' hooks inside the transaction of the change that they follow; a throw undoes the change. */
export class ModuleHooks {
  readonly #installed: Installed;
  readonly #services: Services;
  readonly #log: Logger;

  constructor(installed: Installed, services: Services, log: Logger) {
    this.#installed = installed;
    this.#services = services;
    this.#log = log;
  }

  /** `onEnabled` or `onDisabled` of the module that was switched. */
  async toggled(
    trx: Knex.Transaction,
    spec: ModuleSpec,
    hook: 'onEnabled' | 'onDisabled',
    toggle: ToggleRef,
  ): Promise<void> {
    const run = spec.hooks[hook];
    if (run) await withinLimit(`${hook} of ${spec.id}`, () => run(toggle, this.#tools(trx, spec)));
  }

  /** `onSiteCreated` or `onSiteRemoved` of every module that loads, one after the other. */
  async site(
    trx: Knex.Transaction,
    hook: keyof Pick<Hooks, 'onSiteCreated' | 'onSiteRemoved'>,
    site: SiteRef,
  ): Promise<void> {
    for (const spec of specs(this.#installed.current)) {
      const run = spec.hooks[hook];
      if (run) await withinLimit(`${hook} of ${spec.id}`, () => run(site, this.#tools(trx, spec)));
    }
  }

  #tools(trx: Knex.Transaction, spec: ModuleSpec): HookTools {
    return { trx, log: this.#log.child({ module: spec.id }), get: this.#services.resolve(spec) };
  }
}
