import type { Database } from '@lyceum/core';
import { folded } from './fold.ts';
import { textConfiguration } from './text-configuration.ts';

/** Chunks that are ranked at most: of a question of common words in a large store those with its rarer words. */
const mostRanked = 4_000;

/** Words of a question that count; of a longer one the rarest. */
const mostWords = 24;

/** How much a word counts in content, (unused), heading path, title: the order that PostgreSQL wants. */
const weights = '{0.5, 0.5, 0.75, 1.0}';

/**
 * A word's rank at which it counts half of what it ever can, so that repeating it fades. With this much, and without a
 * share of the length (chunks have nearly one), course pages were found best by questions: MRR 0.86 for 0.83.
 */
const half = 0.6;

export interface TextQuestion {
  readonly blogId: number;
  readonly query: string;
  /** Only chunks of these posts; null for all. */
  readonly postIds: readonly number[] | null;
  readonly limit: number;
}

interface Word {
  readonly lexeme: string;
  /** Chunks that hold it, counted up to a bound. */
  readonly chunks: number;
  /** Chunks of the site. */
  readonly total: number;
}

const languagesOf = {
  name: 'rag-languages',
  // One step of the index per language instead of one per chunk.
  text: `with recursive found as (
      (select lang from rag_chunks where blog_id = $1 order by lang limit 1)
      union all
      select (select c.lang from rag_chunks c where c.blog_id = $1 and c.lang > found.lang order by c.lang limit 1)
      from found where found.lang is not null
    )
    select lang from found where lang is not null`,
};

/** Words of the question as the texts of the store are read, and how many chunks hold each, up to a bound. */
const wordsOf = {
  name: 'rag-words',
  text: `select asked.lexeme, (select count(*)::int from (
        select 1 from rag_chunks c where c.blog_id = $1 and c.fts @@ asked.word limit $4) as held) as chunks,
      (select count(*)::int from rag_chunks where blog_id = $1) as total
    from (
      select distinct lexeme, ('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery as word
      from unnest($3::text[]) as configuration,
        unnest(tsvector_to_array(to_tsvector(configuration::regconfig, $2))) as lexeme
    ) as asked`,
};

const ranked = {
  name: 'rag-text-search',
  text: `with asked as (
      select word::tsquery as word, idf from unnest($3::text[], $4::float8[]) as w (word, idf)
    ), matching as materialized (
      select c.id_chunk, c.fts from rag_chunks c join posts p on p.id = c.id_post and p.blog_id = c.blog_id
      where c.blog_id = $1 and c.fts @@ $2::tsquery and p.status = 'publish'
        and ($5::int[] is null or c.id_post = any($5))
    )
    select ranked.id_chunk from (
      select m.id_chunk, a.idf, ts_rank_cd('${weights}', m.fts, a.word) as rank
      from matching m cross join asked a where m.fts @@ a.word) as ranked
    group by ranked.id_chunk
    order by sum(ranked.idf * ranked.rank / (ranked.rank + ${half})) desc, ranked.id_chunk
    limit $6`,
};

const quoted = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/**
 * Ids of chunks that hold any word of the question, best first. Each word is ranked by `ts_rank_cd` alone and weighed
 * by how few chunks hold it: `ts_rank_cd` of the whole question would let ten common words outweigh the one that
 * matters.
 */
export async function searchText(db: Database, question: TextQuestion): Promise<number[]> {
  const { blogId, query, postIds, limit } = question;
  const languages = await db.named<{ lang: string }>(languagesOf, [blogId]);
  const configurations = [...new Set(languages.map(({ lang }) => textConfiguration(lang)))];
  if (configurations.length === 0) return [];
  const found = await db.named<Word>(wordsOf, [blogId, folded(query), configurations, mostRanked + 1]);
  const words = telling(found.filter(({ chunks }) => chunks > 0));
  if (words.length === 0) return [];
  const rows = await db.named<{ id_chunk: number }>(ranked, [
    blogId,
    narrow(words)
      .map(({ lexeme }) => quoted(lexeme))
      .join(' | '),
    words.map(({ lexeme }) => quoted(lexeme)),
    words.map(rarity),
    postIds,
    limit,
  ]);
  return rows.map(({ id_chunk }) => id_chunk);
}

/** Rarest first; the tail of a very long question is left out. */
const telling = (words: readonly Word[]): Word[] =>
  [...words].sort((a, b) => a.chunks - b.chunks || (a.lexeme < b.lexeme ? -1 : 1)).slice(0, mostWords);

/** The words by which chunks are found: as many of the rarest as together find no more than are ranked. */
function narrow(words: readonly Word[]): Word[] {
  let sum = 0;
  return words.filter(({ chunks }, at) => {
    sum += chunks;
    return at === 0 || sum <= mostRanked;
  });
}

/** How much a word tells: as in BM25, by how few of all chunks hold it. One that was not counted to its end is common. */
function rarity({ chunks, total }: Word): number {
  const held = chunks > mostRanked ? Math.max(chunks, total / 3) : chunks;
  return Math.log(1 + (total - held + 0.5) / (held + 0.5));
}
