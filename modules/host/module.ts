import { defineModule } from '@lyceum/core';
import { jobs } from './jobs/index.ts';
import { meta } from './meta.ts';
import { createImport } from './migrations/001-import.ts';
import { errors as applicationPasswordErrors } from './operations/application-passwords/errors.ts';
import { operations as applicationPasswords } from './operations/application-passwords/index.ts';
import { errors as importErrors } from './operations/import/errors.ts';
import { operations as imports } from './operations/import/index.ts';
import { operations as jobOperations } from './operations/jobs/index.ts';
import { errors as mediaErrors } from './operations/media/errors.ts';
import { operations as media } from './operations/media/index.ts';
import { errors as postErrors } from './operations/posts/errors.ts';
import { operations as posts } from './operations/posts/index.ts';
import { errors as sessionErrors } from './operations/session/errors.ts';
import { operations as session } from './operations/session/index.ts';
import { errors as settingsErrors } from './operations/settings/errors.ts';
import { operations as settingsOperations } from './operations/settings/index.ts';
import { errors as termErrors } from './operations/terms/errors.ts';
import { operations as terms } from './operations/terms/index.ts';
import { errors as userErrors } from './operations/users/errors.ts';
import { operations as users } from './operations/users/index.ts';
import { postTypes } from './post-types.ts';
import { schedules } from './schedules/index.ts';
import { settingRules, settings } from './settings.ts';
import { shortcodes } from './shortcodes/index.ts';
import { taxonomies } from './taxonomies.ts';

export default defineModule({
  id: 'host',
  title: 'Host',
  description: 'Sessions, users, posts, terms, media, settings, jobs and import.',
  namespaces: ['svc/host/v1'],
  locked: true,
  settings,
  settingRules,
  postTypes,
  taxonomies,
  meta,
  errors: {
    ...sessionErrors,
    ...applicationPasswordErrors,
    ...userErrors,
    ...settingsErrors,
    ...postErrors,
    ...termErrors,
    ...mediaErrors,
    ...importErrors,
  },
  operations: [
    ...session,
    ...applicationPasswords,
    ...users,
    ...settingsOperations,
    ...posts,
    ...terms,
    ...media,
    ...jobOperations,
    ...imports,
  ],
  shortcodes,
  jobs,
  schedules,
  tables: {
    import_map: { copy: 'none' },
    playback_artifacts: {
      copy: 'rows',
      refs: { attachment_id: 'attachment' },
      with: 'files',
      files: { folder: 'artifacts/{place}' },
    },
    media_tracks: {
      copy: 'rows',
      refs: { attachment_id: 'attachment', artifact_id: 'module:playback_artifacts' },
      with: 'files',
    },
  },
  migrations: [createImport],
});
