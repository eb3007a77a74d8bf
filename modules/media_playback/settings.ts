import { type SettingDeclaration, word, yup } from '@lyceum/core';

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  include_original: {
    title: 'Whether players are offered the uploaded file, beside what was encoded or in its stead',
    schema: word('fallback', 'always', 'never').required(),
    default: 'fallback',
    scope: 'site',
  },
  grant_seconds: {
    title: 'Seconds that addresses of files are good which are not public',
    schema: yup.number().integer().min(60).max(86_400).required(),
    default: 21_600,
    scope: 'site',
  },
  preload: {
    title: 'What players load before they play',
    schema: word('none', 'metadata', 'auto').required(),
    default: 'metadata',
    scope: 'site',
  },
};
