import { all, commandFound, defineModule } from '@lyceum/core';
import { errors } from './errors.ts';
import { hooks } from './hooks.ts';
import { jobs } from './jobs/index.ts';
import { cancelDeleted } from './listeners/cancel-deleted.ts';
import { encodeUploaded } from './listeners/encode-uploaded.ts';
import { cancelReplaced, tellDerived } from './listeners/follow-file.ts';
import { createQueue } from './migrations/001-queue.ts';
import { operations } from './operations/index.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'media_converter',
  title: 'Media converter',
  description: 'Films and sound are encoded for browsers; stills, thumbnails of the seek bar, posters.',
  namespaces: ['svc/media-converter/v1'],
  defaultEnabled: true,
  conditions: [
    {
      id: 'ffmpeg',
      title: 'ffmpeg and ffprobe are found',
      when: all(commandFound('ffmpeg'), commandFound('ffprobe')),
    },
  ],
  settings,
  errors,
  tables: {
    encode_queue: { copy: 'none' },
    encode_queue_formats: { copy: 'none' },
    encode_pauses: { copy: 'none' },
  },
  migrations: [createQueue],
  operations,
  jobs,
  listeners: [encodeUploaded, cancelDeleted, tellDerived, cancelReplaced],
  hooks,
  services,
});
