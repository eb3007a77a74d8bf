import { Database, defineOperation, fail, idText, readId, yup } from '@lyceum/core';
import { PresetRecord, presentPreset } from '../preset.ts';
import { PresetStore } from '../preset-store.ts';

export const getPreset = defineOperation({
  id: 'pagebuilder_style_presets.get-preset',
  method: 'GET',
  path: 'svc/pagebuilder-style-presets/v1/presets/{id}',
  summary: 'One style preset, which may be in the trash',
  access: { can: 'edit_posts' },
  contract: true,
  input: { params: yup.object({ id: idText() }) },
  output: PresetRecord,
  errors: ['style_presets_not_found'],
  handle: async ({ params }, call) => {
    const id = readId(params.id) ?? fail('style_presets_not_found');
    const preset = await call.get(PresetStore).find(call.get(Database).knex, call.site.blog_id, id);
    return presentPreset(preset ?? fail('style_presets_not_found'));
  },
});
