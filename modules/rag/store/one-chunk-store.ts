import type { Database } from '@lyceum/core';
import type { ChunkMetadata } from './stored-chunk.ts';

/** A chunk as it is stored. */
export interface StoredChunk {
  readonly id_chunk: number;
  readonly id_post: number;
  readonly status: number;
  readonly content: string;
  readonly content_hash: string;
  readonly metadata: ChunkMetadata;
  readonly word_count: number;
  readonly created_at: string;
}

const findText = `select id_chunk, id_post, status, content, content_hash, metadata, word_count, created_at
  from rag_chunks where id_chunk = $1 and blog_id = $2`;

/** The chunk of this id on the site, or null. */
export const readChunk = async (db: Database, blogId: number, id: number): Promise<StoredChunk | null> =>
  (await db.lookUp<StoredChunk>({ name: 'rag-chunk', text: findText }, [id, blogId]))[0] ?? null;
