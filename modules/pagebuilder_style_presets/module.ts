import { Clock, defineModule, installed } from '@lyceum/core';
import { errors } from './errors.ts';
import { createPresets } from './migrations/001-create-presets.ts';
import { operations } from './operations/index.ts';
import { PresetStore } from './preset-store.ts';
import { Presets } from './presets.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'pagebuilder_style_presets',
  title: 'Style presets',
  description: 'Looks of page-builder elements, saved under a name to be applied to others.',
  namespaces: ['svc/pagebuilder-style-presets/v1'],
  defaultEnabled: true,
  conditions: [{ id: 'pagebuilder', title: 'The page builder is installed', when: installed('pagebuilder') }],
  settings,
  errors,
  tables: { style_presets: { copy: 'rows', refs: { author_id: 'user' } } },
  migrations: [createPresets],
  operations,
  services: (provide) => [
    provide(PresetStore, [], () => new PresetStore()),
    provide(Presets, [PresetStore, Clock], (store, clock) => new Presets(store, clock)),
  ],
});
