import type { ErrorTable } from '@lyceum/core';

export const errors = {
  track_not_found: { status: 404, message: 'Track not found.' },
  track_exists: {
    status: 409,
    message: 'The attachment has a track of this kind, language and label already.',
  },
  too_many_tracks: { status: 400, message: 'The attachment has as many tracks as it may have.' },
  invalid_track: { status: 400, message: 'The text is no usable track.' },
  invalid_encoding: { status: 400, message: 'The text cannot be read in this encoding.' },
} as const satisfies ErrorTable;
