import { defineJob, type Job } from '@lyceum/core';
import { jobTypes } from '../queue/entry.ts';
import { makeFormat } from './make-format.ts';
import { makePack } from './make-pack.ts';
import { makeStills } from './make-stills.ts';
import { makeThumbnails } from './make-thumbnails.ts';
import { runNext } from './run-next.ts';

/** Codes that a format fails with. */
const errors = [
  'encode_failed',
  'encode_timeout',
  'encode_interrupted',
  'source_missing',
  'disk_full',
] as const;

export const jobs: readonly Job[] = [
  defineJob({
    id: jobTypes.encode,
    title: 'Encoding a film or sound',
    cancellable: false,
    errors,
    run: runNext(jobTypes.encode, makeFormat),
  }),
  defineJob({
    id: jobTypes.stills,
    title: 'Taking stills of a film',
    cancellable: false,
    errors,
    run: runNext(jobTypes.stills, makeStills),
  }),
  defineJob({
    id: jobTypes.thumbnails,
    title: 'Taking the thumbnails of a seek bar',
    cancellable: false,
    errors,
    run: runNext(jobTypes.thumbnails, makeThumbnails),
  }),
  defineJob({
    id: jobTypes.pack,
    title: 'Packing the files of a film',
    cancellable: false,
    errors,
    run: runNext(jobTypes.pack, makePack),
  }),
];
