import { defineModule } from '@lyceum/core';
import { desks } from './desk.ts';
import { errors } from './errors.ts';
import { reply } from './jobs/reply.ts';
import { createBots } from './migrations/001-create-bots.ts';
import { operations } from './operations/index.ts';
import { forgetMessages } from './schedules/forget-messages.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'svctutor_bot',
  title: 'Bots',
  description: 'The tutor in messengers, communities and the chats of websites.',
  namespaces: Object.values(desks).map(({ namespace }) => namespace),
  defaultEnabled: true,
  requires: ['ai'],
  settings,
  errors,
  tables: { bots: { copy: 'none' }, bot_chats: { copy: 'none' }, bot_messages: { copy: 'none' } },
  migrations: [createBots],
  operations,
  jobs: [reply],
  schedules: [forgetMessages],
  services,
});
