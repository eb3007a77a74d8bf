import { defineModule } from '@lyceum/core';
import { getPlayback } from './operations/get-playback.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'media_playback',
  title: 'Playback',
  description:
    'What a player needs for a video or sound: sources, streams, text tracks, chapters, thumbnails.',
  namespaces: ['svc/media-playback/v1'],
  defaultEnabled: true,
  settings,
  operations: [getPlayback],
});
