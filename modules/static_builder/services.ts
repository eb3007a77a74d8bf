import { Database, Jobs, type Provide, type Provider, RecordWatch } from '@lyceum/core';
import { BuildStore } from './build-store.ts';
import { Builds } from './builds.ts';
import { CourseStore } from './course-store.ts';
import { FileStore } from './file-store.ts';
import { LogStore } from './log-store.ts';
import { PageCacheStore } from './page-cache-store.ts';
import { PageStore } from './page-store.ts';
import { ReferenceStore } from './reference-store.ts';
import { RevisionStore } from './revision-store.ts';

export const services = (provide: Provide): readonly Provider[] => [
  provide(
    Builds,
    [Database, Jobs, RecordWatch],
    (db, jobs, watch) =>
      new Builds({
        ...{ db, jobs, watch, store: new BuildStore(), logs: new LogStore(), files: new FileStore() },
        ...{ pages: new PageStore(), courses: new CourseStore(), cache: new PageCacheStore() },
        ...{ revisions: new RevisionStore(), references: new ReferenceStore() },
      }),
  ),
];
