import { defineSchedule, PlaybackArtifacts } from '@lyceum/core';

export const sweepArtifacts = defineSchedule({
  id: 'host.sweep-artifacts',
  title: 'Removes files of playback artifacts that were deleted, superseded or never finished',
  everySeconds: 60,
  run: ({ get, signal }) => get(PlaybackArtifacts).sweep(signal),
});
