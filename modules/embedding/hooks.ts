import { type Hooks, SettingsService, State } from '@lyceum/core';
import { ChunkStore, QueryVectors } from '@lyceum/module/rag';
import { embedQuery } from './embed-query.ts';
import { Embedders } from './embedders.ts';

/** The search asks for vectors of questions without knowing who makes them. The model's thread ends by itself. */
export const hooks: Hooks = {
  start: ({ get }) => {
    // Modules start before the states of sites are known, and questions come after.
    get(QueryVectors).register((asked) =>
      embedQuery(
        {
          state: get(State),
          settings: get(SettingsService),
          chunks: get(ChunkStore),
          embedders: get(Embedders),
        },
        asked,
      ),
    );
  },
};
