import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Hooks, HookTools, SiteRef, ToggleRef } from '../api/module.ts';
import { blame } from '../isolation/blame.ts';
import { Crashes } from '../isolation/crashes.ts';
import { isCrash } from '../isolation/is-crash.ts';
import { legible } from '../isolation/legible.ts';
import { asModule } from '../isolation/running.ts';
import { Jobs } from '../jobs/jobs.ts';
import { meetSite } from '../jobs/meet-sites.ts';
import { noteMet } from '../jobs/met-site-store.ts';
import type { Installed } from '../registry/installed.ts';
import { type ModuleSpec, specs } from '../registry/spec.ts';
import type { Services } from './container.ts';
import { meetSitesOfToggle } from './meet-modules.ts';
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
    if (run) await this.#run(spec, hook, () => run(toggle, this.#tools(trx, spec)));
    if (hook === 'onEnabled') await meetSitesOfToggle(trx, spec, toggle, this.#services.host(Jobs));
  }

  /**
   * `onSiteCreated` or `onSiteRemoved` of every module that loads, one after the other. A coded error is a refusal,
   * and undoes the change. A hook that crashes is undone alone: a new site is then met by a job, and one that is
   * removed goes without.
   */
  async site(
    trx: Knex.Transaction,
    hook: keyof Pick<Hooks, 'onSiteCreated' | 'onSiteRemoved'>,
    site: SiteRef,
  ): Promise<void> {
    for (const spec of specs(this.#installed.current)) {
      const run = spec.hooks[hook];
      if (!run) continue;
      const act = async (part: Knex.Transaction): Promise<void> => {
        await this.#run(spec, hook, () => run(site, this.#tools(part, spec)));
        if (hook === 'onSiteCreated') await noteMet(part, spec.id, site.blog_id);
      };
      try {
        await trx.transaction(act);
      } catch (error) {
        if (!isCrash(error)) throw error;
        // Not waited for: the count may need a row that this transaction holds.
        void this.#services.host(Crashes).charge({ module: spec.id, place: hook, error });
        if (hook === 'onSiteCreated') await this.#services.host(Jobs).enqueue(trx, meetSite(spec.id, site));
      }
    }
  }

  /** What goes wrong is the fault of the hook's module, whoever caused the change. */
  async #run(spec: ModuleSpec, hook: string, work: () => Promise<void> | void): Promise<void> {
    try {
      await withinLimit(`${hook} of ${spec.id}`, () => asModule(spec.id, work));
    } catch (error) {
      throw blame(legible(error), spec.id);
    }
  }

  #tools(trx: Knex.Transaction, spec: ModuleSpec): HookTools {
    return { trx, log: this.#log.child({ module: spec.id }), get: this.#services.resolve(spec) };
  }
}
