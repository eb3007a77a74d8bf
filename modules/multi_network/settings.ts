import { type SettingDeclaration, yup } from '@lyceum/core';

/** Read from the first network, whichever network a request is sent to. */
export const settings: Readonly<Record<string, SettingDeclaration>> = {
  creation_enabled: {
    title: 'Networks may be created',
    schema: yup.boolean().required(),
    default: true,
    scope: 'network',
  },
  max_networks: {
    title: 'Networks that the installation may have',
    schema: yup.number().integer().min(1).max(10_000).required(),
    default: 1000,
    scope: 'network',
  },
};
