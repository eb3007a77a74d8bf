/** A chunk that answers a question, with where it comes from as that is now. */
export interface RetrievedChunk {
  readonly id_chunk: number;
  readonly id_post: number;
  /** Title of the post. */
  readonly title: string;
  /** Public address of the post. */
  readonly url: string;
  /** Headings above the text, outermost first. */
  readonly heading_path: readonly string[];
  /** Plain text, units separated by a blank line. */
  readonly content: string;
  /** Reciprocal rank fusion: greater is better, and nothing else. */
  readonly score: number;
}

/** What narrows a search. */
export interface RetrievalOptions {
  /** Only chunks of these posts. */
  readonly postIds?: readonly number[] | undefined;
  /** Language tag that the question is believed to be in; a help where its own words do not tell. */
  readonly lang?: string | undefined;
}
