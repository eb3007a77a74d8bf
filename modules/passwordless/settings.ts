import { type SettingDeclaration, word, wordedMailSettings, yup } from '@lyceum/core';

const whole = (least: number, most: number) => yup.number().integer().min(least).max(most).required();

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
  ...wordedMailSettings('pin'),
};
