import type { Database } from '@lyceum/core';
import type { Knex } from 'knex';
import { vectorBackend } from '../store/vector-column-store.ts';
import { searchText, type TextQuestion } from './text-search-store.ts';

/** Vectors that are compared one by one with pgvector; a site with more has an index. */
export const mostExact = 20_000;

/** Vectors that are compared one by one without pgvector. */
export const mostExactSql = 5_000;

/** Above that, the chunks that the words of the question bring are compared. */
const textCandidates = 500;

/** Dimensions that an index of pgvector can have: of whole numbers, and of half ones. */
const mostIndexed = { vector: 2_000, halfvec: 4_000 } as const;

export interface VectorQuestion extends TextQuestion {
  readonly embedder: string;
  readonly vector: readonly number[];
  readonly minSimilarity: number;
}

interface Hit {
  readonly id_chunk: number;
}

/** Ids of chunks that mean what the question means, best first: those of the site's present embedder. */
export async function searchVectors(db: Database, question: VectorQuestion): Promise<number[]> {
  const rows =
    (await vectorBackend(db.knex)) === 'pgvector'
      ? await byExtension(db, question)
      : await bySums(db, question);
  return rows.map(({ id_chunk }) => id_chunk);
}

/**
 * What every comparison is among: an old vector of the same embedder serves until its chunk has a new one.
 * Parameters: site, embedder, posts twice.
 */
const among = `c.blog_id = ? and c.embedder = ? and c.embedding is not null
  and p.status = 'publish' and (?::int[] is null or c.id_post = any(?))`;

const joined = 'rag_chunks c join posts p on p.id = c.id_post and p.blog_id = c.blog_id';

/** The name of the index over the vectors of a site. */
export const vectorIndex = (blogId: number): string => `rag_chunks_vectors_${blogId}`;

/** The type to which vectors of so many dimensions are cast for an index; null where none can be had. */
export function indexedType(dimensions: number): string | null {
  if (dimensions <= mostIndexed.vector) return `vector(${dimensions})`;
  return dimensions <= mostIndexed.halfvec ? `halfvec(${dimensions})` : null;
}

async function byExtension(db: Database, question: VectorQuestion): Promise<Hit[]> {
  const { blogId, embedder, vector, postIds, minSimilarity, limit } = question;
  const literal = `[${vector.join(',')}]`;
  const type = indexedType(vector.length);
  const { rows: found } = (await db.knex.raw(
    `select 1 from pg_indexes where schemaname = current_schema() and indexname = ?`,
    [vectorIndex(blogId)],
  )) as { rows: object[] };
  // Few posts are compared one by one: the index would bring others.
  if (type === null || found.length === 0 || postIds !== null) {
    return rowsOf(
      db.knex.raw(
        `select id_chunk from (
          select c.id_chunk, c.embedding <=> ?::vector as distance from ${joined}
          where ${among} and vector_dims(c.embedding) = ?) as compared
        where distance <= ? order by distance, id_chunk limit ?`,
        [literal, blogId, embedder, postIds, postIds, vector.length, 1 - minSimilarity, limit] as never,
      ),
    );
  }
  return db.transaction(async (trx) => {
    await trx.raw(`select set_config('hnsw.ef_search', ?, true)`, [String(Math.max(100, limit * 2))]);
    const distance = `(c.embedding::${type}) <=> ?::${type}`;
    return rowsOf(
      trx.raw(
        `select id_chunk from (
          select c.id_chunk, c.id_post, ${distance} as distance from rag_chunks c
          where c.blog_id = ${blogId} and c.embedder = ?
          order by ${distance} limit ?) as near
        join posts p on p.id = near.id_post and p.blog_id = ? and p.status = 'publish'
        where distance <= ? order by distance, id_chunk limit ?`,
        [literal, embedder, literal, limit * 2, blogId, 1 - minSimilarity, limit] as never,
      ),
    );
  });
}

async function bySums(db: Database, question: VectorQuestion): Promise<Hit[]> {
  const { blogId, embedder, vector, postIds, minSimilarity, limit } = question;
  const few = await fewEnough(db, question);
  return rowsOf(
    db.knex.raw(
      `select id_chunk from (
        select c.id_chunk,
          (select sum(a * b) from unnest(c.embedding, ?::real[]) as pairs (a, b)) as similarity
        from ${joined} where ${among} and cardinality(c.embedding) = ?
          and (?::bigint[] is null or c.id_chunk = any(?))) as compared
      where similarity >= ? order by similarity desc, id_chunk limit ?`,
      [
        ...[vector, blogId, embedder, postIds, postIds, vector.length],
        ...[few, few, minSimilarity, limit],
      ] as never,
    ),
  );
}

/** Null where all chunks of the site can be compared; else those that the words of the question bring. */
async function fewEnough(db: Database, question: VectorQuestion): Promise<number[] | null> {
  const { rows } = (await db.knex.raw(
    `select count(*)::int as active from (
      select 1 from rag_chunks where blog_id = ? and status = 1 limit ?) as counted`,
    [question.blogId, mostExactSql + 1],
  )) as { rows: { active: number }[] };
  if ((rows[0]?.active ?? 0) <= mostExactSql) return null;
  return searchText(db, { ...question, limit: textCandidates });
}

const rowsOf = async (query: Knex.Raw): Promise<Hit[]> => ((await query) as { rows: Hit[] }).rows;
