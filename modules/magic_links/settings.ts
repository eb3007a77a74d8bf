import {
  type SettingDeclaration,
  type SettingRule,
  sameSiteUrl,
  wordedMailSettings,
  yup,
} from '@lyceum/core';

const seconds = (least: number, most: number) => yup.number().integer().min(least).max(most).required();

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  default_ttl: {
    title: 'Seconds that a link is good where nobody says it',
    schema: seconds(60, 604_800),
    default: 900,
    scope: 'site',
  },
  max_ttl: {
    title: 'Seconds that a link may be good',
    schema: seconds(60, 2_592_000),
    default: 604_800,
    scope: 'network',
  },
  landing_url: {
    title: 'Page of the site that links lead to, in place of the built-in one',
    schema: yup.string().max(2_000).defined(),
    default: '',
    scope: 'site',
  },
  ...wordedMailSettings('link'),
};

export const settingRules: readonly SettingRule[] = [
  {
    of: ['landing_url'],
    problem: ({ landing_url }, { url }) =>
      landing_url === '' || sameSiteUrl(url, landing_url) !== null ? null : 'must be an address on this site',
  },
];
