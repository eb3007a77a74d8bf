import { defineModule } from '@lyceum/core';
import { duplicate } from './jobs/duplicate.ts';
import { operations } from './operations/index.ts';
import { sweepAbandoned } from './schedules.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'site_duplicator',
  title: 'Site duplicator',
  description:
    'Complete, independent copies of sites: content, structure, options, files and what modules keep.',
  namespaces: ['svc/site-duplicator/v1'],
  scopes: ['network'],
  defaultEnabled: true,
  settings,
  operations,
  jobs: [duplicate],
  schedules: [sweepAbandoned],
});
