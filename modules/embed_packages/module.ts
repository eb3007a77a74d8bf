import { defineModule } from '@lyceum/core';
import { packageFiles } from './area.ts';
import { errors } from './errors.ts';
import { removeFiles } from './jobs/remove-files.ts';
import { followCopies } from './listeners.ts';
import { createEmbedPackages } from './migrations/001-embed-packages.ts';
import { namespace } from './operation-parts.ts';
import { operations } from './operations/index.ts';
import { boundPackage } from './page-addition.ts';
import { sweepRemains } from './schedules.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';
import { tables } from './tables.ts';

export default defineModule({
  id: 'embed_packages',
  title: 'Embed packages',
  description: 'Ready-made web content, unpacked, served in isolation and shown inside of pages.',
  namespaces: [namespace],
  defaultEnabled: true,
  settings,
  errors,
  tables,
  migrations: [createEmbedPackages],
  services,
  areas: [packageFiles],
  pageAdditions: [boundPackage],
  listeners: [followCopies],
  jobs: [removeFiles],
  schedules: [sweepRemains],
  operations,
});
