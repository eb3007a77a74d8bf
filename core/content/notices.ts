import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '../api/actor.ts';
import type { Listener, ListenerTools } from '../api/module.ts';
import type { Notice, NoticeKind } from '../api/notices.ts';
import type { Token } from '../api/provider.ts';
import { blame } from '../isolation/blame.ts';
import { asModule } from '../isolation/running.ts';
import type { Installed } from '../registry/installed.ts';
import { type InstalledModules, type ModuleSpec, specs } from '../registry/spec.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { State } from '../state/state.ts';

export interface NoticeParts {
  readonly installed: Installed;
  readonly settings: SettingsService;
  /** Asked for at each notice: the state is made after the services. */
  readonly state: () => State;
  readonly resolve: (spec: ModuleSpec) => <T>(token: Token<T>) => T;
  readonly log: Logger;
}

interface Interested {
  readonly spec: ModuleSpec;
  readonly listener: Listener;
}

/** Tells modules of changes, one listener after the other, inside the transaction of the change. */
export class Notices {
  readonly #parts: NoticeParts;
  readonly #byKind: () => ReadonlyMap<NoticeKind, readonly Interested[]>;

  constructor(parts: NoticeParts) {
    this.#parts = parts;
    this.#byKind = parts.installed.derive(listenersByKind);
  }

  /** Resolves when every listener is done; rejects with what the first one throws, so that the change is undone. */
  async send(trx: Knex.Transaction, actor: Actor, notice: Notice): Promise<void> {
    for (const { spec, listener } of this.#byKind().get(notice.kind) ?? []) {
      try {
        await asModule(spec.id, () => listener.react(notice, this.#tools(trx, actor, spec)));
      } catch (error) {
        throw blame(error, spec.id);
      }
    }
  }

  #tools(trx: Knex.Transaction, actor: Actor, spec: ModuleSpec): ListenerTools {
    const { settings, state, resolve, log } = this.#parts;
    return {
      trx,
      actor,
      log: log.child({ module: spec.id }),
      get: resolve(spec),
      setting: async <T>(name: string) =>
        settings.value(spec, name, await state().within(trx, actor.site.blog_id)) as T,
      send: (notice) => this.send(trx, actor, notice),
    };
  }
}

function listenersByKind(modules: InstalledModules): ReadonlyMap<NoticeKind, readonly Interested[]> {
  const byKind = new Map<NoticeKind, Interested[]>();
  for (const spec of specs(modules)) {
    for (const listener of spec.listeners) {
      byKind.set(listener.notice, [...(byKind.get(listener.notice) ?? []), { spec, listener }]);
    }
  }
  return byKind;
}
