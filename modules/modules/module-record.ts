import {
  type InstalledModule,
  loadedCondition,
  requiredBy,
  type SiteState,
  type State,
  time,
  word,
  yup,
} from '@lyceum/core';

/** Why a module is off; null when it is on. */
export const reasons = () => word('disabled', 'requires', 'condition', 'error').nullable().defined();

/** Where a module may be switched. */
export const scopes = () => yup.array().of(word('network', 'site').required()).required();

/** A module as operators see it. */
export const ModuleRecord = yup.object({
  id: yup.string().required(),
  title: yup.string().required(),
  description: yup.string().defined(),
  version: yup.string().defined(),
  api: yup.number().integer().required(),
  source: word('builtin', 'folder', 'package').required(),
  namespaces: yup.array().of(yup.string().required()).required(),
  scopes: scopes(),
  locked: yup.boolean().required(),
  default_enabled: yup.boolean().required(),
  requires: yup.array().of(yup.string().required()).required(),
  required_by: yup.array().of(yup.string().required()).required(),
  conditions: yup
    .array()
    .of(
      yup.object({
        id: yup.string().required(),
        title: yup.string().required(),
        met: yup.boolean().required(),
      }),
    )
    .required(),
  states: yup
    .object({ network: yup.boolean().required(), site: yup.boolean().nullable().defined() })
    .required(),
  enabled: yup.boolean().required(),
  reason: reasons(),
  has_settings: yup.boolean().required(),
  error: yup
    .object({ code: yup.string().required(), message: yup.string().required(), at: time().required() })
    .nullable()
    .defined(),
});

/** The value of the module that holds for sites of the network which do not override it. */
export const inNetwork = ({ id, spec }: InstalledModule, { wishes }: SiteState): boolean =>
  (spec?.locked ?? false) || (wishes.network.get(id) ?? spec?.defaultEnabled ?? false);

/** The record of one installed module on the site of `site`. */
export function moduleRecord(module: InstalledModule, site: SiteState, state: State) {
  const { id, version, api, source, spec, error } = module;
  const crashed = site.crashed.get(id) ?? null;
  const standing = site.standings.get(id) ?? { enabled: false, reason: 'error' as const };
  const conditions = (spec?.conditions ?? []).map((condition) => ({
    id: condition.id,
    title: condition.title,
    met: spec !== null && site.holds(spec, condition.when),
  }));
  return {
    id,
    title: spec?.title ?? id,
    description: spec?.description ?? '',
    version,
    api,
    source,
    namespaces: spec?.namespaces ?? [],
    scopes: spec?.scopes ?? [],
    locked: spec?.locked ?? false,
    default_enabled: spec?.defaultEnabled ?? false,
    requires: spec?.requires ?? [],
    required_by: requiredBy(state.modules, id),
    conditions: error
      ? [...conditions, { id: loadedCondition, title: 'The package loads', met: false }]
      : conditions,
    states: {
      network: inNetwork(module, site),
      site: site.wishes.site.get(id) ?? null,
    },
    enabled: standing.enabled,
    reason: standing.reason,
    has_settings: Object.keys(spec?.settings ?? {}).length > 0,
    // Whoever switches a crashed module on clears the error, so it is no condition.
    error: error ?? crashed,
  };
}
