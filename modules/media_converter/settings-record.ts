import {
  type Call,
  Database,
  json,
  type ModuleSpec,
  SettingsService,
  type SiteState,
  State,
  yup,
} from '@lyceum/core';
import { MediaQueue } from './queue/media-queue.ts';
import { settings } from './settings.ts';

const names = Object.keys(settings);

/** Values are checked by the settings themselves. */
export const SettingsChange = yup.object(Object.fromEntries(names.map((name) => [name, json()])));

export const SettingsRecord = yup.object({
  ...Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema])),
  queue_paused: yup.boolean().required(),
});

export function ownSpec(call: Call): ModuleSpec {
  const spec = call.get(State).modules.get('media_converter')?.spec;
  if (!spec) throw new Error('The module does not know itself.');
  return spec;
}

export async function presentSettings(call: Call, state: SiteState) {
  const queue_paused = await call.get(MediaQueue).store.isPaused(call.get(Database).knex, call.site.blog_id);
  return { ...call.get(SettingsService).all(ownSpec(call), state), queue_paused };
}
