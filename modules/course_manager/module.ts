import { defineModule } from '@lyceum/core';
import { errors } from './errors.ts';
import { operations } from './operations/index.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'course_manager',
  title: 'Course manager',
  description: 'Course sections beside the editor: their order, their pages, their courses.',
  namespaces: ['svc/course-manager/v1'],
  defaultEnabled: true,
  optional: ['lms'],
  settings,
  errors,
  operations,
});
