import { chunkStatus } from '../chunk-status.ts';
import type { ChunkMetadata, ChunkSource, EmbeddingPlan, NewChunk } from './stored-chunk.ts';

/** What is read of the chunks that a post has. */
export interface PresentChunk {
  readonly id_chunk: number;
  readonly content_hash: string;
  readonly embed_hash: string;
  readonly vector_hash: string | null;
  readonly status: number;
  readonly lang: string;
  readonly metadata: ChunkMetadata;
}

/** A chunk at its place in the post. */
export interface PlacedChunk extends NewChunk {
  readonly metadata: ChunkMetadata;
  readonly lang: string;
  readonly status: number;
}

/** What has to be written so that the store holds the chunks of the post. */
export interface ChunkChanges {
  readonly insert: readonly PlacedChunk[];
  readonly update: readonly (PlacedChunk & { readonly id_chunk: number })[];
  readonly remove: readonly number[];
}

/**
 * Equal texts are the same chunk, in the order of their places: its id stays, and with it what others remember of
 * it. What is unchanged is not written.
 */
export function matchChunks(
  source: ChunkSource,
  chunks: readonly NewChunk[],
  present: readonly PresentChunk[],
  plan: EmbeddingPlan,
): ChunkChanges {
  const unmatched = Map.groupBy(present, ({ content_hash }) => content_hash);
  const insert: PlacedChunk[] = [];
  const update: (PlacedChunk & { readonly id_chunk: number })[] = [];
  for (const [position, chunk] of chunks.entries()) {
    const old = unmatched.get(chunk.content_hash)?.shift();
    const metadata = metadataOf(source, chunk, position);
    const placed = { ...chunk, metadata, lang: source.lang, status: statusOf(chunk, old, plan) };
    if (!old) insert.push(placed);
    else if (differs(placed, old)) update.push({ ...placed, id_chunk: old.id_chunk });
  }
  const remove = [...unmatched.values()].flat().map(({ id_chunk }) => id_chunk);
  return { insert, update, remove };
}

function metadataOf(source: ChunkSource, chunk: NewChunk, position: number): ChunkMetadata {
  const { title, url, post_type, lang } = source;
  const { heading_path, token_count } = chunk;
  return { title, url, post_type, lang, heading_path, position, token_count };
}

function statusOf(chunk: NewChunk, old: PresentChunk | undefined, plan: EmbeddingPlan): number {
  if (!plan.wanted) return chunkStatus.active;
  const isServed = old?.vector_hash === chunk.embed_hash;
  if (isServed && !plan.anew) return chunkStatus.active;
  // Somebody is just embedding exactly this.
  const isLeased = old?.status === chunkStatus.indexing && old.embed_hash === chunk.embed_hash;
  return isLeased ? chunkStatus.indexing : chunkStatus.pending;
}

const differs = (placed: PlacedChunk, old: PresentChunk): boolean =>
  placed.embed_hash !== old.embed_hash ||
  placed.status !== old.status ||
  placed.lang !== old.lang ||
  !sameMetadata(placed.metadata, old.metadata);

const sameMetadata = (one: ChunkMetadata, other: ChunkMetadata): boolean =>
  one.title === other.title &&
  one.url === other.url &&
  one.post_type === other.post_type &&
  one.lang === other.lang &&
  one.position === other.position &&
  one.token_count === other.token_count &&
  one.heading_path.join('\n') === other.heading_path.join('\n');
