import { containing, type Database, fail, maxId } from '@lyceum/core';
import type { Knex } from 'knex';
import type { FieldSearch, TableQuery } from './table-request.ts';

/** A row as it is stored; what is made of it is for the presenter. */
export interface TableRow {
  readonly id_chunk: number;
  readonly id_post: number;
  readonly post_title: string;
  readonly status: number;
  /** The first characters, one more than are shown. */
  readonly content: string;
  readonly content_hash: string;
  readonly word_count: number;
  readonly created_at: string;
}

export interface TablePage {
  readonly total: number;
  readonly filtered: number;
  readonly rows: readonly TableRow[];
}

/** Characters of the content that a row shows. */
export const shownCharacters = 200;

/** Milliseconds for all that one page asks of the database. */
const mostMs = 10_000;

/** The title that the post has now; one that is gone is known by what its chunks remember. */
const title = `coalesce(p.title, c.metadata->>'title', '')`;

/**
 * One page and both counts, as of one moment.
 * @throws `rag_search_timeout` when that takes longer than 10 s
 */
export function readTable(db: Database, blogId: number, query: TableQuery): Promise<TablePage> {
  const ends = performance.now() + mostMs;
  return db.transaction(async (trx) => {
    await trx.raw('set transaction isolation level repeatable read, read only');
    const ask = async <T>(wish: Knex.QueryBuilder): Promise<T[]> => {
      await trx.raw(`select set_config('statement_timeout', ?, true)`, [
        String(Math.max(1, Math.round(ends - performance.now()))),
      ]);
      return (await wish.catch(tooLate)) as T[];
    };
    const count = async (wish: Knex.QueryBuilder): Promise<number> =>
      (await ask<{ chunks: number }>(wish.count({ chunks: '*' })))[0]?.chunks ?? 0;
    const total = await count(trx('rag_chunks as c').where('c.blog_id', blogId));
    const isWhole = query.anywhere === null && query.each.length === 0;
    const filtered = isWhole ? total : await count(matching(trx, blogId, query));
    if (query.start >= filtered) return { total, filtered, rows: [] };
    const page = matching(trx, blogId, query).select(
      ...['c.id_chunk', 'c.id_post', 'c.status', 'c.content_hash', 'c.word_count', 'c.created_at'],
      trx.raw(`${title} as post_title, left(c.content, ${shownCharacters + 1}) as content`),
    );
    for (const { column, dir } of query.order) page.orderByRaw(`${column} ${dir}`);
    page.orderBy('c.id_chunk').limit(query.length).offset(query.start);
    return { total, filtered, rows: await ask<TableRow>(page) };
  });
}

function tooLate(error: unknown): never {
  const { code } = error as { code?: unknown };
  if (code === '57014') fail('rag_search_timeout', { cause: error });
  throw error;
}

function matching(sql: Knex, blogId: number, { anywhere, each }: TableQuery): Knex.QueryBuilder {
  const query = sql('rag_chunks as c')
    .leftJoin('posts as p', (join) => join.on('p.id', 'c.id_post').andOn('p.blog_id', 'c.blog_id'))
    .where('c.blog_id', blogId);
  if (anywhere) {
    const pattern = containing(anywhere.value);
    query.where((or) => {
      or.whereRaw('false');
      for (const field of anywhere.fields) or.orWhereRaw(`${columnOf(field)} ilike ?`, [pattern]);
    });
  }
  for (const search of each) narrow(query, search);
  return query;
}

const columnOf = (field: 'content' | 'post_title'): string => (field === 'content' ? 'c.content' : title);

function narrow(query: Knex.QueryBuilder, { field, value }: FieldSearch): void {
  if (field === 'content' || field === 'post_title') {
    query.whereRaw(`${columnOf(field)} ilike ?`, [containing(value)]);
  } else if (field === 'content_hash') {
    query.where('c.content_hash', value);
  } else {
    const number = /^-?\d{1,15}$/.test(value) ? Number(value) : null;
    // What can be no such number is no row's.
    if (number === null || (field !== 'id_chunk' && Math.abs(number) > maxId)) query.whereRaw('false');
    else query.where(`c.${field}`, number);
  }
}
