import {
  audit,
  type Call,
  Database,
  defineOperation,
  fail,
  type ModuleSpec,
  record,
  type Scope,
  SettingsService,
  State,
  yup,
} from '@lyceum/core';
import { findModule } from '../find-module.ts';
import { administrators, mayChangeNetwork } from '../rights.ts';
import { ModuleSettings, settingsDocument } from './get-settings.ts';

export const changeSettings = defineOperation({
  id: 'modules.change-settings',
  method: 'PATCH',
  path: 'svc/modules/v1/modules/{id}/settings',
  summary: 'Change settings of a module; null restores a default',
  access: administrators,
  site: 'selectable',
  input: {
    params: yup.object({ id: yup.string().required() }),
    body: yup.object({ settings: record().required() }),
  },
  output: ModuleSettings,
  errors: ['module_not_found'],
  example: { body: { settings: { site_overrides: false } } },
  handle: async ({ params, body }, call) => {
    const { spec } = findModule(call, params.id);
    if (!spec)
      return fail('module_not_found', {
        message: 'The module does not load, so its settings are not known.',
      });
    return change(call, spec, body.settings);
  },
});

/** undefined for a name that the module does not declare: it is ignored. */
const scopeOf = (spec: ModuleSpec, name: string): Scope | undefined =>
  Object.hasOwn(spec.settings, name) ? spec.settings[name]?.scope : undefined;

async function change(call: Call, spec: ModuleSpec, given: Readonly<Record<string, unknown>>) {
  const settings = call.get(SettingsService);
  // Before the values are looked at: who may not write a setting is not told what is wrong with it.
  const scopes = Object.keys(given).map((name) => scopeOf(spec, name));
  if (scopes.includes('network') && !mayChangeNetwork(call)) fail('rest_forbidden');
  if (scopes.includes('site') && !call.can('manage_options')) fail('rest_forbidden');
  const changes = settings.check(spec, given, 'settings.');
  const network = changes.some(({ setting }) => setting.scope === 'network');
  const site = changes.some(({ setting }) => setting.scope === 'site');
  return call.get(Database).transaction(async (trx) => {
    const before = await call.get(State).lock(trx, call.site.blog_id);
    settings.checkTogether(spec, changes, before, call.site, 'settings.');
    await settings.write(trx, spec, changes, call.site);
    const after = await call.get(State).lock(trx, call.site.blog_id);
    const shown = (state: typeof before) =>
      Object.fromEntries(changes.map(({ name }) => [name, settings.shown(spec, name, state)]));
    const secretChanged = changes.some(({ setting }) => setting.secret);
    const [from, to] = [shown(before), shown(after)];
    if (secretChanged || JSON.stringify(from) !== JSON.stringify(to)) {
      await audit(trx, call, {
        module: 'modules',
        action: 'module.settings',
        scope: network ? 'network' : 'site',
        subject: `module:${spec.id}`,
        blogId: site ? call.site.blog_id : null,
        from,
        to,
      });
    }
    return settingsDocument(spec, after, settings);
  });
}
