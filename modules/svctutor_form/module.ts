import { defineModule } from '@lyceum/core';
import { errors, errorsElsewhere } from './errors.ts';
import { notify } from './mail/notify.ts';
import { meta } from './meta.ts';
import { createEntries } from './migrations/001-create-entries.ts';
import { operations } from './operations/index.ts';
import { postTypes } from './post-types.ts';
import { forgetEntries } from './schedules/forget-entries.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';
import { shortcodes } from './shortcodes.ts';

export default defineModule({
  id: 'svctutor_form',
  title: 'Forms',
  description:
    'Form records for a builder and its runners, their entries, and texts in the language of the reader.',
  namespaces: ['svctutor-forms/form/v1', 'svctutor-forms/i18n/v1'],
  defaultEnabled: true,
  postTypes,
  meta,
  settings,
  errors,
  errorsElsewhere,
  tables: { form_entries: { copy: 'none' }, form_entry_counts: { copy: 'none' } },
  migrations: [createEntries],
  shortcodes,
  operations,
  jobs: [notify],
  schedules: [forgetEntries],
  services,
});
