import { type SettingDeclaration, yup } from '@lyceum/core';

const whole = (least: number, most: number) => yup.number().integer().min(least).max(most).required();

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  connect_token_ttl: {
    title: 'Seconds that a connect token is good',
    schema: whole(60, 3_600),
    default: 600,
    scope: 'network',
  },
  connection_idle_days: {
    title: 'Days after which a connection that nobody uses ends; 0: never',
    schema: whole(0, 3_650),
    default: 180,
    scope: 'network',
  },
  max_connections_per_user: {
    title: 'Live connections that one user may have',
    schema: whole(1, 100),
    default: 20,
    scope: 'network',
  },
  revisions_keep: {
    title: 'States of each document that are kept',
    schema: whole(1, 200),
    default: 20,
    scope: 'site',
  },
};
