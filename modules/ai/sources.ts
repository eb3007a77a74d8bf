import type { SiteState, Token } from '@lyceum/core';
import type { Source } from './answer/source.ts';

/** What a search is narrowed to. */
export interface Wanted {
  readonly query: string;
  readonly most: number;
  readonly postIds: readonly number[] | null;
  readonly lang: string;
}

export interface Available {
  readonly available: boolean;
  /** Chunks that can be found. */
  readonly chunks: number;
}

type Get = <T>(token: Token<T>) => T;

const retrievalModule = 'rag';

/** The texts of a site, through the module that keeps them: one that need not be there. */
export class Sources {
  #get: Get | null = null;

  /** @param get finds services of the modules that this one names */
  connect(get: Get): void {
    this.#get = get;
  }

  /** Whether there is something to search in. */
  async available(site: SiteState): Promise<Available> {
    const found = await this.#retrieval(site);
    if (!found || (await found.store.find(site.blogId)) === null) return { available: false, chunks: 0 };
    return { available: true, chunks: await found.retrieval.countActive(site.blogId) };
  }

  /** The chunks that have to do with the question, best first. */
  async find(site: SiteState, { query, most, postIds, lang }: Wanted): Promise<readonly Source[]> {
    const found = await this.#retrieval(site);
    if (!found) return [];
    return found.retrieval.retrieve(site.blogId, query, most, { lang, postIds: postIds ?? undefined });
  }

  /** How PostgreSQL reads texts of the language. Only for sources that were found. */
  async configuration(lang: string): Promise<string> {
    return (await import('@lyceum/module/rag')).textConfiguration(lang);
  }

  async #retrieval(site: SiteState) {
    const get = this.#get;
    if (!get || !site.isOn(retrievalModule)) return null;
    // Only now: where that module is not installed its code cannot be imported.
    const { ChunkStore, Retrieval } = await import('@lyceum/module/rag');
    return { store: get(ChunkStore), retrieval: get(Retrieval) };
  }
}
