import { defineModule } from '@lyceum/core';
import { errors } from './errors.ts';
import { jobs } from './jobs/index.ts';
import { MemberStore } from './member-store.ts';
import { operations as jobOperations } from './operations/jobs/index.ts';
import { operations as members } from './operations/members/index.ts';
import { operations as sites } from './operations/sites/index.ts';
import { operations as terms } from './operations/terms/index.ts';
import { retention } from './retention.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'site_manager',
  title: 'Site manager',
  description: 'The sites of a network: create, describe, sort, archive them, and put people on them.',
  namespaces: ['svc/site-manager/v1'],
  scopes: ['network'],
  defaultEnabled: true,
  settings,
  errors,
  services: (provide) => [provide(MemberStore, [], () => new MemberStore())],
  operations: [...sites, ...members, ...terms, ...jobOperations],
  jobs,
  schedules: [retention],
});
