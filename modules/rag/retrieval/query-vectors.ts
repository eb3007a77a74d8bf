/** A question as a point among the chunks. */
export interface QueryVector {
  /** Whose vectors it can be compared with. */
  readonly embedder: string;
  /** L2-normalised. */
  readonly vector: readonly number[];
}

/** What whoever embeds is asked: the site's question, and the language that the asker believes it is in. */
export interface QueryToEmbed {
  readonly blogId: number;
  readonly query: string;
  readonly lang: string | null;
}

/** Null where the site has no embedder that knows the question's language, or where it cannot be reached. */
export type QueryEmbedder = (asked: QueryToEmbed) => Promise<QueryVector | null>;

/** Who turns questions into vectors: the module that embeds says so, the search asks. */
export class QueryVectors {
  #embedder: QueryEmbedder | null = null;

  /** For `start` of the module that embeds. Newer code of it takes the place of the old. */
  register(embedder: QueryEmbedder): void {
    this.#embedder = embedder;
  }

  async of(asked: QueryToEmbed): Promise<QueryVector | null> {
    return (await this.#embedder?.(asked)) ?? null;
  }
}
