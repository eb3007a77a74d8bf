import { defineModule } from '@lyceum/core';
import { errors } from './errors.ts';
import { hooks } from './hooks.ts';
import { auto } from './jobs/auto.ts';
import { embed } from './jobs/embed.ts';
import { sync } from './jobs/sync.ts';
import { listeners } from './listeners.ts';
import { createPostStates } from './migrations/001-create-post-states.ts';
import { operations } from './operations/index.ts';
import { releaseLost } from './schedules.ts';
import { services } from './services.ts';
import { settingRules, settings } from './settings.ts';

export default defineModule({
  id: 'embedding',
  title: 'Embedding',
  description:
    'Published texts are cut into chunks and get vectors, by a model of the installation or a server.',
  namespaces: ['svctutor/embedding/v1'],
  defaultEnabled: true,
  optional: ['rag'],
  settings,
  settingRules,
  errors,
  tables: { embedding_posts: { copy: 'none' }, embedding_changes: { copy: 'none' } },
  migrations: [createPostStates],
  operations,
  jobs: [sync, auto, embed],
  schedules: [releaseLost],
  listeners,
  services,
  hooks,
});
