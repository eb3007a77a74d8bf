import type { Database } from '@lyceum/core';
import { indexedType, mostExact, vectorIndex } from '../retrieval/vector-search-store.ts';
import { findSiteStore } from './site-store-store.ts';
import { vectorBackend } from './vector-column-store.ts';

/**
 * An index over the vectors of one site and one embedder, where there are more than are compared one by one. It is
 * built beside the work of others, so not in a transaction; one that a crash left half built is made again.
 */
export async function indexVectors(db: Database, blogId: number): Promise<void> {
  const store = await findSiteStore(db.knex, blogId);
  const length = store?.dimensions ?? null;
  const type = length === null ? null : indexedType(length);
  if (!store || type === null || (await vectorBackend(db.knex)) !== 'pgvector') return;
  const name = vectorIndex(blogId);
  const embedder = `'${store.embedder.replaceAll("'", "''")}'`;
  const wanted = (await countVectors(db, blogId, store.embedder)) > mostExact;
  const present = await definitionOf(db, name);
  const fits = present?.includes(type) === true && present.includes(embedder);
  if (present !== null && (!wanted || !fits)) {
    await db.knex.raw(`drop index concurrently if exists ${name}`);
  }
  if (!wanted || fits) return;
  const operators = type.startsWith('halfvec') ? 'halfvec_cosine_ops' : 'vector_cosine_ops';
  await db.knex.raw(
    `create index concurrently ${name} on rag_chunks using hnsw ((embedding::${type}) ${operators})
      where blog_id = ${blogId} and embedder = ${embedder}`,
  );
}

async function countVectors(db: Database, blogId: number, embedder: string): Promise<number> {
  const { rows } = (await db.knex.raw(
    `select count(*)::int as vectors from (
      select 1 from rag_chunks where blog_id = ? and embedder = ? limit ?) as counted`,
    [blogId, embedder, mostExact + 1],
  )) as { rows: { vectors: number }[] };
  return rows[0]?.vectors ?? 0;
}

/** How the index was made; null where there is none, and empty for one that was not finished. */
async function definitionOf(db: Database, name: string): Promise<string | null> {
  const { rows } = (await db.knex.raw(
    `select case when i.indisvalid then pg_get_indexdef(i.indexrelid) else '' end as definition
      from pg_index i where i.indexrelid = to_regclass(?)`,
    [name],
  )) as { rows: { definition: string }[] };
  return rows[0]?.definition ?? null;
}
