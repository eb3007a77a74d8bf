import { type SettingDeclaration, yup } from '@lyceum/core';

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  site_overrides: {
    title: 'Sites may override network values',
    schema: yup.boolean().required(),
    default: true,
    scope: 'network',
  },
  no_override: {
    title: 'Modules that no site may override',
    schema: yup.array().of(yup.string().max(60).required()).max(1000).required(),
    default: [],
    scope: 'network',
  },
};
