import { Commands, Database, Jobs, type Provide, type Provider, RecordWatch } from '@lyceum/core';
import { Ffmpeg } from './ffmpeg/ffmpeg.ts';
import { MediaQueue } from './queue/media-queue.ts';
import { QueueStore } from './queue/queue-store.ts';

export const services = (provide: Provide): readonly Provider[] => [
  provide(Ffmpeg, [Commands], (commands) => new Ffmpeg(commands)),
  provide(
    MediaQueue,
    [Database, Jobs, RecordWatch],
    (db, jobs, watch) => new MediaQueue({ db, jobs, watch, store: new QueueStore() }),
  ),
];
