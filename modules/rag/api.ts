export { type ChunkStatus, chunkStatus, statusIcon } from './chunk-status.ts';
export {
  type QueryEmbedder,
  type QueryToEmbed,
  type QueryVector,
  QueryVectors,
} from './retrieval/query-vectors.ts';
export { Retrieval } from './retrieval/retrieval.ts';
export type { RetrievalOptions, RetrievedChunk } from './retrieval/retrieved-chunk.ts';
export { primaryLanguage, textConfiguration } from './retrieval/text-configuration.ts';
export { ChunkStore } from './store/chunk-store.ts';
export type { SiteStore } from './store/site-store-store.ts';
export type {
  ChunkSource,
  EmbeddedChunk,
  EmbeddingPlan,
  LeasedChunk,
  NewChunk,
  ReplacedChunks,
} from './store/stored-chunk.ts';
