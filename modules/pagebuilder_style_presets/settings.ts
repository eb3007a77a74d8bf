import { type SettingDeclaration, yup } from '@lyceum/core';

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  max_presets: {
    title: 'Presets that the site may have, those in the trash not counted',
    schema: yup.number().integer().min(1).max(10_000).required(),
    default: 1_000,
    scope: 'site',
  },
};
