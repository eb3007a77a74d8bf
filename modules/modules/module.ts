import { defineModule } from '@lyceum/core';
import { settings } from './settings.ts';

export default defineModule({
  id: 'modules',
  title: 'Modules',
  description: 'What is installed, what is on, and who changed it.',
  namespaces: ['svc/modules/v1'],
  locked: true,
  settings,
  operations: [],
});
