import {
  Addresses,
  ArtifactFiles,
  Clock,
  Database,
  PageRenderer,
  Posts,
  PostTypes,
  type Provide,
  type Provider,
  SiteFiles,
  Storage,
} from '@lyceum/core';
import { SiteMedia } from './static/site-media.ts';
import { StaticPages } from './static/static-pages.ts';
import { StaticStore } from './static/static-store.ts';
import { SubmissionStore } from './submission/submission-store.ts';
import { Submissions } from './submission/submissions.ts';

export const services = (provide: Provide): readonly Provider[] => [
  provide(StaticStore, [Database], (db) => new StaticStore(db)),
  provide(SiteMedia, [SiteFiles, ArtifactFiles], (files, artifacts) => new SiteMedia({ files, artifacts })),
  provide(
    StaticPages,
    [Database, Posts, PageRenderer, Storage, StaticStore, SiteMedia, Clock, Addresses],
    (db, posts, renderer, storage, store, media, clock, { apiRoot }) =>
      new StaticPages({ db, posts, renderer, storage, store, media, clock, apiRoot }),
  ),
  provide(SubmissionStore, [], () => new SubmissionStore()),
  provide(
    Submissions,
    [Database, Posts, PostTypes, SubmissionStore, Clock],
    (db, posts, types, store, clock) => new Submissions({ db, posts, types, store, clock }),
  ),
];
