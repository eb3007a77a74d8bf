import { Database, PostLinks, type Provide, type Provider, SettingsService, State } from '@lyceum/core';
import { QueryVectors } from './retrieval/query-vectors.ts';
import { Retrieval } from './retrieval/retrieval.ts';
import { ChunkStore } from './store/chunk-store.ts';

export const services = (provide: Provide): readonly Provider[] => [
  provide(QueryVectors, [], () => new QueryVectors()),
  provide(ChunkStore, [Database], (db) => new ChunkStore(db)),
  provide(
    Retrieval,
    [Database, State, SettingsService, PostLinks, QueryVectors],
    (db, state, settings, links, queryVectors) => new Retrieval({ db, state, settings, links, queryVectors }),
  ),
];
