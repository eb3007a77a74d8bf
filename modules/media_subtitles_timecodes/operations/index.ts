import type { Operation } from '@lyceum/core';
import { addTrack } from './add-track.ts';
import { changeTrack } from './change-track.ts';
import { deleteTrack } from './delete-track.ts';
import { listTracks } from './list-tracks.ts';
import { replaceTracks } from './replace-tracks.ts';
import { uploadTrack } from './upload-track.ts';

export const operations: readonly Operation[] = [
  ...[listTracks, addTrack, replaceTracks],
  ...[uploadTrack, changeTrack, deleteTrack],
];
