import type { Database, PostLinks, SettingsService, SiteState, State } from '@lyceum/core';
import { standardCandidates, standardSimilarity } from '../settings.ts';
import { countChunks } from '../store/chunk-counts-store.ts';
import { readFound, siteAddress } from './found-chunk-store.ts';
import { fuse, type Scored } from './fuse.ts';
import type { QueryVectors } from './query-vectors.ts';
import type { RetrievalOptions, RetrievedChunk } from './retrieved-chunk.ts';
import { searchText } from './text-search-store.ts';
import { searchVectors } from './vector-search-store.ts';

const moduleId = 'rag';

/** Chunks that one search gives at most. */
const mostChunks = 20;

export interface RetrievalParts {
  readonly db: Database;
  readonly state: State;
  readonly settings: SettingsService;
  readonly links: PostLinks;
  readonly queryVectors: QueryVectors;
}

/** The search over the chunks of one site. What is not published at this moment is not found. */
export class Retrieval {
  readonly #parts: RetrievalParts;

  constructor(parts: RetrievalParts) {
    this.#parts = parts;
  }

  /**
   * The chunks that answer the question, best first: by meaning where the site's embedder knows the question's
   * language, and by words. Empty where the module is off or the site has no store.
   * @param k from 1 to 20
   */
  async retrieve(
    blogId: number,
    query: string,
    k: number,
    options: RetrievalOptions = {},
  ): Promise<RetrievedChunk[]> {
    const state = await this.#stateOn(blogId);
    if (!state || query.trim() === '') return [];
    const scored = await this.#search(state, query, options);
    return this.#show(blogId, scored, Math.min(Math.max(k, 1), mostChunks));
  }

  /** Chunks of the site that have what they need to be found; 0 where the module is off. */
  async countActive(blogId: number): Promise<number> {
    if (!(await this.#stateOn(blogId))) return 0;
    return (await countChunks(this.#parts.db.knex, blogId)).active;
  }

  /** Whether the site has the module on: then there may be something to find. */
  async isOn(blogId: number): Promise<boolean> {
    return (await this.#stateOn(blogId)) !== null;
  }

  async #stateOn(blogId: number): Promise<SiteState | null> {
    const state = await this.#parts.state.read(blogId);
    return state?.isOn(moduleId) ? state : null;
  }

  async #search(state: SiteState, query: string, { postIds, lang }: RetrievalOptions): Promise<Scored[]> {
    const { db } = this.#parts;
    const limit = this.#setting(state, 'search_candidates', standardCandidates);
    const question = { blogId: state.blogId, query, postIds: postIds ?? null, limit };
    const [byWords, byMeaning] = await Promise.all([
      searchText(db, question),
      this.#byMeaning(state, question, lang ?? null),
    ]);
    return fuse(byMeaning, byWords);
  }

  async #byMeaning(
    state: SiteState,
    question: Parameters<typeof searchText>[1],
    lang: string | null,
  ): Promise<readonly number[]> {
    const { blogId, query } = question;
    const asked = await this.#parts.queryVectors.of({ blogId, query, lang });
    if (!asked) return [];
    const minSimilarity = this.#setting(state, 'min_similarity', standardSimilarity);
    return searchVectors(this.#parts.db, { ...question, ...asked, minSimilarity });
  }

  #setting(state: SiteState, name: string, standard: number): number {
    const spec = state.modules.get(moduleId)?.spec;
    return spec ? (this.#parts.settings.value(spec, name, state) as number) : standard;
  }

  async #show(blogId: number, scored: readonly Scored[], k: number): Promise<RetrievedChunk[]> {
    const { db, links } = this.#parts;
    const best = scored.slice(0, k);
    const site = best.length > 0 ? await siteAddress(db.knex, blogId) : null;
    if (!site) return [];
    const found = await readFound(
      db.knex,
      blogId,
      best.map(({ id }) => id),
    );
    const posts = [...found.values()].map((chunk) => ({ ...chunk, id: chunk.id_post }));
    const urls = await links.permalinks(site, posts);
    return best.flatMap(({ id, score }) => {
      const chunk = found.get(id);
      if (!chunk) return [];
      const { id_chunk, id_post, title, heading_path, content } = chunk;
      return [{ id_chunk, id_post, title, url: urls.get(id_post) ?? '', heading_path, content, score }];
    });
  }
}
