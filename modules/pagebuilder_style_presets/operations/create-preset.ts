import { Addresses, created, Database, defineOperation, yup } from '@lyceum/core';
import { PresetRecord, presentPreset } from '../preset.ts';
import { elementType, mostBodyBytes, nameField, settingsField } from '../preset-fields.ts';
import { Presets, placeOf } from '../presets.ts';

const path = 'svc/pagebuilder-style-presets/v1/presets';

export const createPreset = defineOperation({
  id: 'pagebuilder_style_presets.create-preset',
  method: 'POST',
  path,
  summary: 'Save the look of an element under a name',
  access: { can: 'edit_posts' },
  contract: true,
  maxBodyBytes: mostBodyBytes,
  input: {
    body: yup.object({
      name: nameField().required(),
      element_type: elementType().required(),
      settings: settingsField().required(),
      is_default: yup.boolean().default(false),
    }),
  },
  success: 201,
  output: PresetRecord,
  errors: ['style_presets_exists', 'style_presets_limit'],
  example: {
    body: { name: 'Big title', element_type: 'widget:heading', settings: { title_color: '#112233' } },
  },
  handle: async ({ body }, call) => {
    const wish = { ...body, name: body.name.trim() };
    const preset = await call
      .get(Database)
      .transaction((trx) => call.get(Presets).create(trx, placeOf(call), wish));
    return created(presentPreset(preset), call.get(Addresses).route(call.site, `${path}/${preset.id}`));
  },
});
