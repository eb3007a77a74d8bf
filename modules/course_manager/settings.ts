import { type SettingDeclaration, yup } from '@lyceum/core';

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  max_sections_per_post: {
    title: 'Sections that a page or post may be in',
    schema: yup.number().integer().min(1).max(500).required(),
    default: 50,
    scope: 'site',
  },
};
