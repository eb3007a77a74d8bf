import { type SettingDeclaration, yup } from '@lyceum/core';

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  most_notes: {
    title: 'Notes that a site may have',
    schema: yup.number().integer().min(1).max(10_000).required(),
    default: 100,
    scope: 'site',
  },
};
