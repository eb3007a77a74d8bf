import type { Knex } from 'knex';
import { folded } from '../retrieval/fold.ts';
import { textConfiguration } from '../retrieval/text-configuration.ts';
import { type ChunkChanges, matchChunks, type PlacedChunk, type PresentChunk } from './match-chunks.ts';
import type { ChunkSource, EmbeddingPlan, NewChunk, ReplacedChunks } from './stored-chunk.ts';
import { countWords } from './word-count.ts';

/** Makes these the chunks of the post; what stays as it was is not written. */
export async function replaceChunks(
  trx: Knex.Transaction,
  source: ChunkSource,
  chunks: readonly NewChunk[],
  plan: EmbeddingPlan,
): Promise<ReplacedChunks> {
  const present = await readPresent(trx, source);
  const changes = matchChunks(source, chunks, present, plan);
  await removeById(trx, changes.remove);
  await update(trx, changes.update, source.lang);
  await insert(trx, source, changes.insert);
  return { total: chunks.length, created: changes.insert.length, deleted: changes.remove.length };
}

/** Removes the chunks of these posts; how many there were. */
export const removeChunks = (sql: Knex, blogId: number, postIds: readonly number[]): Promise<number> =>
  sql('rag_chunks').where('blog_id', blogId).whereIn('id_post', postIds).delete();

const readPresent = async (
  trx: Knex.Transaction,
  { blog_id, id_post }: ChunkSource,
): Promise<PresentChunk[]> =>
  (await trx('rag_chunks')
    .where({ blog_id, id_post })
    .orderBy('position')
    .orderBy('id_chunk')
    .forNoKeyUpdate()
    .select(
      ...['id_chunk', 'content_hash', 'embed_hash', 'vector_hash', 'status', 'lang', 'metadata'],
    )) as PresentChunk[];

async function removeById(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await trx('rag_chunks').whereIn('id_chunk', ids).delete();
}

/** Title, headings and text each with the weight by which the search knows them. */
const vectorOf = (row: string): string => `
  setweight(to_tsvector(?::regconfig, ${row}.title), 'A') ||
  setweight(to_tsvector(?::regconfig, ${row}.headings), 'B') ||
  to_tsvector(?::regconfig, ${row}.words)`;

/** A row as JSON that both statements read. */
const rowOf = (chunk: PlacedChunk) => ({
  content: chunk.content,
  content_hash: chunk.content_hash,
  embed_hash: chunk.embed_hash,
  metadata: chunk.metadata,
  position: chunk.metadata.position,
  token_count: chunk.token_count,
  word_count: countWords(chunk.content),
  lang: chunk.lang,
  status: chunk.status,
  title: folded(chunk.metadata.title),
  headings: folded(chunk.heading_path.join('\n')),
  words: folded(chunk.content),
});

const recordset = `json_to_recordset(?::json) as brought (id_chunk bigint, content text, content_hash text,
  embed_hash text, metadata jsonb, position int, token_count int, word_count int, lang text, status smallint,
  title text, headings text, words text)`;

async function insert(
  trx: Knex.Transaction,
  { blog_id, id_post, lang }: ChunkSource,
  chunks: ChunkChanges['insert'],
): Promise<void> {
  if (chunks.length === 0) return;
  const configuration = textConfiguration(lang);
  await trx.raw(
    `insert into rag_chunks (blog_id, id_post, position, status, content, content_hash, embed_hash, metadata, lang,
      token_count, word_count, fts)
    select ?, ?, position, status, content, content_hash, embed_hash, metadata, lang, token_count, word_count,
      ${vectorOf('brought')}
    from ${recordset} order by position`,
    [
      ...[blog_id, id_post, configuration, configuration, configuration],
      JSON.stringify(chunks.map(rowOf)),
    ] as never,
  );
}

/**
 * Attempts begin anew, and whoever is embedding another state of the chunk no longer holds it. A vector stays: it
 * serves until there is a better one, unless none is wanted.
 */
async function update(trx: Knex.Transaction, chunks: ChunkChanges['update'], lang: string): Promise<void> {
  if (chunks.length === 0) return;
  const configuration = textConfiguration(lang);
  await trx.raw(
    `update rag_chunks c set position = brought.position, status = brought.status, metadata = brought.metadata,
      embed_hash = brought.embed_hash, lang = brought.lang, token_count = brought.token_count,
      fts = ${vectorOf('brought')}, updated_at = now(),
      attempts = case when brought.status = 2 then c.attempts else 0 end, error = null,
      lease_until = case when brought.status = 2 then c.lease_until end,
      lease_job = case when brought.status = 2 then c.lease_job end
    from ${recordset} where c.id_chunk = brought.id_chunk`,
    [
      ...[configuration, configuration, configuration],
      JSON.stringify(chunks.map((chunk) => ({ ...rowOf(chunk), id_chunk: chunk.id_chunk }))),
    ] as never,
  );
}
