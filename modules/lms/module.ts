import { defineModule } from '@lyceum/core';
import { errors, errorsElsewhere } from './errors.ts';
import { listeners } from './listeners/index.ts';
import { meta } from './meta.ts';
import { indexCourses } from './migrations/001-index-courses.ts';
import { postTypes } from './post-types.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'lms',
  title: 'Courses',
  description: 'Course records: what sections, pages and builds belong to.',
  defaultEnabled: true,
  postTypes,
  meta,
  settings,
  migrations: [indexCourses],
  errors,
  errorsElsewhere,
  listeners,
  services,
});
