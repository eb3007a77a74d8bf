import { defineModule } from '@lyceum/core';
import { publishedFiles } from './area.ts';
import { errors } from './errors.ts';
import { hooks } from './hooks.ts';
import { jobs } from './jobs/index.ts';
import { forgetPage } from './listeners/forget-page.ts';
import { leaveCourse } from './listeners/leave-course.ts';
import { createBuilds } from './migrations/001-builds.ts';
import { operations } from './operations/index.ts';
import { schedules } from './schedules.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'static_builder',
  title: 'Static builder',
  description: 'Courses of pages, as packages for learning systems or as folders that are served.',
  namespaces: ['svclms/static-builder/v1'],
  defaultEnabled: true,
  optional: ['lms', 'embed_packages'],
  settings,
  errors,
  tables: {
    static_builds: { copy: 'none' },
    static_build_logs: { copy: 'none' },
    static_build_page_cache: { copy: 'none' },
    static_build_pages: { copy: 'none' },
    static_build_references: { copy: 'none' },
    static_build_files: { copy: 'none' },
  },
  migrations: [createBuilds],
  areas: [publishedFiles],
  operations,
  jobs,
  schedules,
  listeners: [leaveCourse, forgetPage],
  hooks,
  services,
});
