import { defineMigration } from '@lyceum/core';
import type { Knex } from 'knex';
import { chooseVectorColumn } from '../store/vector-column-store.ts';

/**
 * The store: one row per chunk, and one per site that was ever synced. `vector_hash` is the `embed_hash` that the
 * vector was made of; where they differ the vector is an old one, which serves until it is replaced.
 */
export const createChunks = defineMigration({
  id: '001-create-chunks',
  up: async (trx) => {
    const vector = await chooseVectorColumn(trx);
    await trx.raw(`
      create table rag_stores (
        blog_id integer primary key,
        backend text not null,
        asked text not null,
        embedder text not null,
        dimensions integer,
        recipe text not null,
        created_at timestamptz(3) not null default now()
      );
      create table rag_chunks (
        id_chunk bigint generated always as identity primary key,
        blog_id integer not null,
        id_post integer not null,
        position integer not null,
        status smallint not null default 0 check (status in (-1, 0, 1, 2)),
        content text not null,
        content_hash text not null,
        embed_hash text not null,
        vector_hash text,
        metadata jsonb not null,
        lang text not null,
        token_count integer not null,
        word_count integer not null,
        fts tsvector not null,
        embedding ${vector},
        embedder text,
        attempts smallint not null default 0,
        error text,
        lease_until timestamptz(3),
        lease_job uuid,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now()
      );
      -- Vectors do not get smaller by packing, and unpacking costs more than their sums.
      alter table rag_chunks alter column embedding set storage external;
      create index rag_chunks_site on rag_chunks (blog_id, id_chunk);
      create index rag_chunks_post on rag_chunks (blog_id, id_post, position);
      create index rag_chunks_status on rag_chunks (blog_id, status, id_chunk);
      create index rag_chunks_lang on rag_chunks (blog_id, lang);
      create index rag_chunks_leased on rag_chunks (lease_until) where status = 2;
    `);
    await indexText(trx);
  },
});

/** With btree_gin a word that is common on other sites costs nothing here; some servers do not ship it. */
async function indexText(trx: Knex.Transaction): Promise<void> {
  const found = await trx('pg_extension').where('extname', 'btree_gin').first('extname');
  await trx.raw(
    found
      ? 'create index rag_chunks_fts on rag_chunks using gin (blog_id, fts)'
      : 'create index rag_chunks_fts on rag_chunks using gin (fts)',
  );
}
