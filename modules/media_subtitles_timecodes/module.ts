import { defineModule } from '@lyceum/core';
import { errors } from './errors.ts';
import { operations } from './operations/index.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'media_subtitles_timecodes',
  title: 'Subtitles and chapters',
  description: 'Text tracks of videos and sounds: subtitles, captions, descriptions, chapters, metadata.',
  namespaces: ['svc/media-subtitles-timecodes/v1'],
  defaultEnabled: true,
  settings,
  errors,
  operations,
});
