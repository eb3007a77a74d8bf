import { isDeepStrictEqual } from 'node:util';
import {
  audit,
  type Call,
  Database,
  defineOperation,
  fail,
  record,
  type Scope,
  SettingsService,
  State,
  yup,
} from '@lyceum/core';
import { settings } from '../../settings.ts';
import {
  describeScope,
  hostSpec,
  mayChangeNetwork,
  namesOf,
  SettingsDocument,
  settingsDocument,
  shownName,
} from './settings-document.ts';

type Given = Readonly<Record<string, unknown>>;

const pathOf = (name: string): string => `${settings[name]?.scope}.${shownName(name)}`;

export const changeSettings = defineOperation({
  id: 'host.change-settings',
  method: 'PATCH',
  path: 'svc/host/v1/settings',
  summary: 'Change the given settings; null restores a default',
  access: { can: 'manage_options' },
  site: 'selectable',
  input: {
    body: yup.object({
      site: record().meta({ jsonSchema: describeScope('site') }),
      network: record().meta({ jsonSchema: describeScope('network') }),
    }),
  },
  output: SettingsDocument,
  example: { body: { site: { timezone: 'Europe/Riga', languages: ['en', 'ru'] } } },
  handle: async ({ body }, call) => {
    const { site = {}, network = {} } = body;
    if (Object.keys(network).length > 0 && !mayChangeNetwork(call)) fail('rest_forbidden');
    const given = { ...flat('site', site), ...flat('network', network) };
    return call.get(Database).transaction((trx) => write(trx, call, given));
  },
});

/** The declared settings of a scope that are given, by the names that they are declared with. */
const flat = (scope: Scope, part: Given): Given =>
  Object.fromEntries(
    namesOf(scope)
      .filter((name) => Object.hasOwn(part, shownName(name)))
      .map((name) => [name, part[shownName(name)]]),
  );

async function write(trx: Parameters<SettingsService['write']>[0], call: Call, given: Given) {
  const service = call.get(SettingsService);
  const spec = hostSpec(call);
  const asked = service.check(spec, given, pathOf);
  const before = await call.get(State).lock(trx, call.site.blog_id);
  service.checkTogether(spec, asked, before, call.site, pathOf);
  const valueBefore = (name: string) => service.value(spec, name, before);
  const changes = asked.filter(
    ({ name, setting, value }) => !isDeepStrictEqual(valueBefore(name), value ?? setting.default),
  );
  await service.write(trx, spec, changes, call.site);
  for (const scope of ['site', 'network'] as const) {
    const changed = changes.filter(({ setting }) => setting.scope === scope);
    if (changed.length === 0) continue;
    await audit(trx, call, {
      module: 'host',
      action: 'host.settings',
      scope,
      subject: scope === 'site' ? `site:${call.site.blog_id}` : `network:${call.site.network_id}`,
      blogId: scope === 'site' ? call.site.blog_id : null,
      from: Object.fromEntries(changed.map(({ name }) => [shownName(name), valueBefore(name)])),
      to: Object.fromEntries(
        changed.map(({ name, setting, value }) => [shownName(name), value ?? setting.default]),
      ),
    });
  }
  return settingsDocument(call, await call.get(State).within(trx, call.site.blog_id));
}
