import { type SettingDeclaration, yup } from '@lyceum/core';

const whole = (least: number, most: number) => yup.number().integer().min(least).max(most).required();

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  messages_per_minute: {
    title: 'Messages of one chat that are answered in a minute',
    schema: whole(1, 600),
    default: 20,
    scope: 'site',
  },
  max_bots: {
    title: 'Bots of each kind that the site may have',
    schema: whole(1, 100),
    default: 20,
    scope: 'site',
  },
  retention_days: {
    title: 'Days after which a message is deleted',
    schema: whole(1, 3_650),
    default: 90,
    scope: 'site',
  },
  reply_timeout: {
    title: 'Seconds that a chat widget waits for an answer',
    schema: whole(1, 25),
    default: 20,
    scope: 'site',
  },
};
