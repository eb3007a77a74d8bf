import { type SettingDeclaration, type SettingRule, sameSiteUrl, yup } from '@lyceum/core';

const seconds = (least: number, most: number) => yup.number().integer().min(least).max(most).required();

/** Empty: the built-in words, in the language of the site or of the person. */
const words = (most: number) => yup.string().max(most).defined();

const longestSubject = 200;
const longestText = 5_000;

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
    schema: words(2_000),
    default: '',
    scope: 'site',
  },
  mail_subject: {
    title: 'Subject of the mail, with {link}, {site}, {minutes}',
    schema: words(longestSubject),
    default: '',
    scope: 'site',
  },
  mail_text: {
    title: 'Text of the mail, with {link}, {site}, {minutes}',
    schema: words(longestText).test(
      'link',
      'must contain {link}',
      (value) => value === undefined || value === '' || value.includes('{link}'),
    ),
    default: '',
    scope: 'site',
  },
};

export const settingRules: readonly SettingRule[] = [
  {
    of: ['landing_url'],
    problem: ({ landing_url }, { url }) =>
      landing_url === '' || sameSiteUrl(url, landing_url) !== null ? null : 'must be an address on this site',
  },
];
