/** A chunk as whoever cuts texts makes it. */
export interface NewChunk {
  /** Plain text, units separated by a blank line. */
  readonly content: string;
  /** MD5 of the content's UTF-8, 32 hex digits. */
  readonly content_hash: string;
  /** Of all that its vector is made of. */
  readonly embed_hash: string;
  readonly heading_path: readonly string[];
  readonly token_count: number;
}

/** The post that chunks are cut from, as they remember it. */
export interface ChunkSource {
  readonly blog_id: number;
  readonly id_post: number;
  readonly title: string;
  readonly url: string;
  readonly post_type: string;
  /** Language tag. */
  readonly lang: string;
}

/** What a chunk knows of where it comes from, keys in the order in which they are shown. */
export interface ChunkMetadata {
  readonly title: string;
  readonly url: string;
  readonly post_type: string;
  readonly lang: string;
  readonly heading_path: readonly string[];
  readonly position: number;
  readonly token_count: number;
}

/** How chunks are to be embedded. */
export interface EmbeddingPlan {
  /** False where the embedder does not know the language of the post: its chunks are found by words alone. */
  readonly wanted: boolean;
  /** Every vector anew, also those that are up to date. */
  readonly anew: boolean;
}

/** What became of the chunks of one post. */
export interface ReplacedChunks {
  readonly total: number;
  readonly created: number;
  readonly deleted: number;
}

/** A chunk that is being embedded. */
export interface LeasedChunk {
  readonly id_chunk: number;
  readonly content: string;
  readonly embed_hash: string;
  readonly title: string;
  readonly heading_path: readonly string[];
  readonly token_count: number;
}

/** A chunk with the vector that was made of it. */
export interface EmbeddedChunk {
  readonly id_chunk: number;
  readonly embed_hash: string;
  /** L2-normalised. */
  readonly vector: readonly number[];
}
