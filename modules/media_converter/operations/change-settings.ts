import { audit, Database, defineOperation, fail, SettingsService, State } from '@lyceum/core';
import { MediaQueue } from '../queue/media-queue.ts';
import { ownSpec, presentSettings, SettingsChange, SettingsRecord } from '../settings-record.ts';

export const changeSettings = defineOperation({
  id: 'media_converter.change-settings',
  method: 'PATCH',
  path: 'svc/media-converter/v1/settings',
  summary:
    'Change how films and sound are encoded; null restores a default. What is running keeps what it began with',
  access: { can: 'manage_options' },
  site: 'selectable',
  contract: true,
  input: { body: SettingsChange },
  output: SettingsRecord,
  example: { body: { preset: 'slow', default_formats: ['mp4_720', 'hls'] } },
  handle: async ({ body }, call) => {
    const settings = call.get(SettingsService);
    const spec = ownSpec(call);
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const isNetwork = Object.keys(given).some((name) => spec.settings[name]?.scope === 'network');
    if (isNetwork && !call.single && !call.can('manage_network_options')) fail('rest_forbidden');
    const changes = settings.check(spec, given, '');
    const after = await call.get(Database).transaction(async (trx) => {
      const before = await call.get(State).lock(trx, call.site.blog_id);
      settings.checkTogether(spec, changes, before, call.site, '');
      await settings.write(trx, spec, changes, call.site);
      const now = await call.get(State).lock(trx, call.site.blog_id);
      if (given.concurrency !== undefined) {
        const concurrency = settings.value(spec, 'concurrency', now) as number;
        await call.get(MediaQueue).setConcurrency(trx, concurrency);
      }
      const shown = (state: typeof before) =>
        Object.fromEntries(changes.map(({ name }) => [name, settings.shown(spec, name, state)]));
      const [from, to] = [shown(before), shown(now)];
      if (JSON.stringify(from) !== JSON.stringify(to)) {
        const subject = 'module:media_converter';
        await audit(trx, call, {
          module: 'media_converter',
          action: 'media_converter.settings',
          subject,
          from,
          to,
        });
      }
      return now;
    });
    return presentSettings(call, after);
  },
});
