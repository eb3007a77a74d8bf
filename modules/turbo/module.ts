import { defineModule } from '@lyceum/core';
import { errors } from './errors.ts';
import { listeners } from './listeners.ts';
import { createTurbo } from './migrations/001-create-turbo.ts';
import { operations } from './operations/index.ts';
import { schedules } from './schedules/index.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';
import { area } from './static/area.ts';

export default defineModule({
  id: 'turbo',
  title: 'Turbo frontend',
  description: 'Pages as static files, brought to life for whoever is signed in.',
  namespaces: ['svclms/turbo/v1'],
  defaultEnabled: true,
  optional: ['svctutor_form'],
  settings,
  errors,
  tables: {
    turbo_static: { copy: 'none', files: { folder: 'turbo/{folder}' } },
    turbo_submissions: { copy: 'none' },
  },
  migrations: [createTurbo],
  areas: [area],
  operations,
  schedules,
  listeners,
  services,
});
