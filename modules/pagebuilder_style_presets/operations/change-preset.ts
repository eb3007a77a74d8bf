import { Database, defineOperation, fail, idText, readId, word, yup } from '@lyceum/core';
import { PresetRecord, presentPreset, statuses } from '../preset.ts';
import { hashField, mostBodyBytes, nameField, settingsField } from '../preset-fields.ts';
import { Presets, placeOf } from '../presets.ts';

export const changePreset = defineOperation({
  id: 'pagebuilder_style_presets.change-preset',
  method: 'PATCH',
  path: 'svc/pagebuilder-style-presets/v1/presets/{id}',
  summary: 'Change the given fields of a style preset, which is how it goes to the trash and comes back',
  access: { can: 'edit_posts' },
  contract: true,
  maxBodyBytes: mostBodyBytes,
  input: {
    params: yup.object({ id: idText() }),
    body: yup.object({
      name: nameField(),
      settings: settingsField(),
      is_default: yup.boolean(),
      status: word(...statuses),
      base_hash: hashField(),
    }),
  },
  output: PresetRecord,
  errors: [
    'style_presets_not_found',
    'style_presets_conflict',
    'style_presets_exists',
    'style_presets_limit',
  ],
  example: {
    body: {
      settings: { title_color: '#445566' },
      base_hash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    },
  },
  handle: async ({ params, body }, call) => {
    const id = readId(params.id) ?? fail('style_presets_not_found');
    const edit = { ...body, name: body.name?.trim() };
    const preset = await call
      .get(Database)
      .transaction((trx) => call.get(Presets).change(trx, placeOf(call), id, edit));
    return presentPreset(preset);
  },
});
