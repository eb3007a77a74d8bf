import {
  type Call,
  jsonSchemaOf,
  type ModuleSpec,
  type Scope,
  SettingsService,
  type SiteState,
  State,
  yup,
} from '@lyceum/core';
import { settings } from '../../settings.ts';

/** A name as the settings routes show it: `admin_email` is a setting of both scopes. */
export const shownName = (name: string): string => (name === 'network_admin_email' ? 'admin_email' : name);

/** Names of the declared settings of a scope. */
export const namesOf = (scope: Scope): string[] =>
  Object.entries(settings)
    .filter(([, setting]) => setting.scope === scope)
    .map(([name]) => name);

const schemasOf = (scope: Scope): Record<string, yup.AnySchema> =>
  Object.fromEntries(namesOf(scope).map((name) => [shownName(name), schemaOf(name)]));

function schemaOf(name: string): yup.AnySchema {
  const setting = settings[name];
  if (!setting) throw new Error(`There is no setting "${name}".`);
  return setting.schema;
}

/** JSON Schema of a part of the document, every key optional. */
export const describeScope = (scope: Scope) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(schemasOf(scope)).map(([name, schema]) => [name, jsonSchemaOf(schema)]),
  ),
});

export const SettingsDocument = yup.object({
  site: yup.object(schemasOf('site')).required(),
  network: yup.object(schemasOf('network')).optional(),
});

/** Whether the caller sees and changes what holds for the whole network. */
export const mayChangeNetwork = (call: Call): boolean =>
  call.can(call.single ? 'manage_options' : 'manage_network_options');

/** The declaration of this module as the host keeps it. */
export function hostSpec(call: Call): ModuleSpec {
  const spec = call.get(State).modules.get('host')?.spec;
  if (!spec) throw new Error('The module "host" is not installed.');
  return spec;
}

/** The settings in force, those of the network only for who may change them. */
export function settingsDocument(call: Call, state: SiteState) {
  const spec = hostSpec(call);
  const valuesOf = (scope: Scope) =>
    Object.fromEntries(
      namesOf(scope).map((name) => [shownName(name), call.get(SettingsService).value(spec, name, state)]),
    );
  const site = valuesOf('site');
  return mayChangeNetwork(call) ? { site, network: valuesOf('network') } : { site };
}
