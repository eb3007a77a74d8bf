import { type SettingDeclaration, word, yup } from '@lyceum/core';

const whole = (least: number, most: number) => yup.number().integer().min(least).max(most).required();

/** Empty: the built-in words, in the language of the site or of the person. */
const words = (most: number) => yup.string().max(most).defined();

const longestSubject = 200;
const longestText = 5_000;

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  pin_ttl: { title: 'Seconds that a code is good', schema: whole(60, 3600), default: 600, scope: 'site' },
  max_attempts: {
    title: 'Wrong codes until the login is locked',
    schema: whole(3, 20),
    default: 5,
    scope: 'network',
  },
  lock_seconds: {
    title: 'Seconds that a login is locked',
    schema: whole(60, 86_400),
    default: 900,
    scope: 'network',
  },
  request_interval: {
    title: 'Seconds between two mails to one login',
    schema: whole(0, 3600),
    default: 60,
    scope: 'network',
  },
  requests_per_hour: {
    title: 'Mails to one login in an hour',
    schema: whole(1, 100),
    default: 5,
    scope: 'network',
  },
  require_ssl: {
    title: 'Whether the connection must be encrypted; auto: when the address of the site is https',
    schema: word('auto', 'always', 'never').required(),
    default: 'auto',
    scope: 'network',
  },
  mail_subject: {
    title: 'Subject of the mail, with {pin}, {site}, {minutes}',
    schema: words(longestSubject),
    default: '',
    scope: 'site',
  },
  mail_text: {
    title: 'Text of the mail, with {pin}, {site}, {minutes}',
    schema: words(longestText).test(
      'pin',
      'must contain {pin}',
      (value) => value === undefined || value === '' || value.includes('{pin}'),
    ),
    default: '',
    scope: 'site',
  },
};
