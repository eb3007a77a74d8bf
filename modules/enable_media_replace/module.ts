import { defineModule } from '@lyceum/core';
import { errors } from './errors.ts';
import { meta } from './meta.ts';
import { operations } from './operations/index.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'enable_media_replace',
  title: 'Replacing media',
  description: 'Another file behind an attachment: under the same address, or with all that names it.',
  namespaces: ['svc/enable-media-replace/v1'],
  defaultEnabled: true,
  optional: ['media_converter'],
  settings,
  meta,
  errors,
  operations,
});
