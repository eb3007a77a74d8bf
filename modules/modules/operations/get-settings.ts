import {
  defineOperation,
  fail,
  jsonSchemaOf,
  type ModuleSpec,
  record,
  SettingsService,
  type SiteState,
  yup,
} from '@lyceum/core';
import { findModule, stateNow } from '../find-module.ts';
import { administrators } from '../rights.ts';

export const ModuleSettings = yup.object({
  id: yup.string().required(),
  settings: record().required(),
  defaults: record().required(),
  scopes: record({ type: 'string', enum: ['network', 'site'] }).required(),
  schema: record().required(),
});

const perName = <T>(
  spec: ModuleSpec,
  of: (setting: ModuleSpec['settings'][string]) => T,
): Record<string, T> =>
  Object.fromEntries(Object.entries(spec.settings).map(([name, setting]) => [name, of(setting)]));

/** Settings as shown on the site, with what describes them. */
export function settingsDocument(spec: ModuleSpec, site: SiteState, settings: SettingsService) {
  return {
    id: spec.id,
    settings: settings.all(spec, site),
    defaults: perName(spec, (setting) => (setting.secret ? null : setting.default)),
    scopes: perName(spec, (setting) => setting.scope),
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: perName(spec, (setting) => jsonSchemaOf(setting.schema)),
    },
  };
}

export const getSettings = defineOperation({
  id: 'modules.get-settings',
  method: 'GET',
  path: 'svc/modules/v1/modules/{id}/settings',
  summary: 'Settings of a module, their defaults and schema',
  access: administrators,
  site: 'selectable',
  input: { params: yup.object({ id: yup.string().required() }) },
  output: ModuleSettings,
  errors: ['module_not_found'],
  handle: async ({ params }, call) => {
    const { spec } = findModule(call, params.id);
    if (!spec)
      return fail('module_not_found', {
        message: 'The module does not load, so its settings are not known.',
      });
    return settingsDocument(spec, await stateNow(call), call.get(SettingsService));
  },
});
