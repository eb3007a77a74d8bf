import type { Knex } from 'knex';
import { type PageReference, referenceKey } from './collect/page-facts.ts';
import type { FoundPlayer } from './collect/write-page.ts';
import type { RevisionRef } from './file-store.ts';

/** Something that pages of a revision name. */
export interface Reference extends PageReference {
  /** The first page that names it. */
  readonly page_id: number;
  readonly state: 'open' | 'found' | 'left';
  /** Where its bytes came from; the same word stands for the same bytes. */
  readonly source: string | null;
  /** In the course; null where it stays a link, and for players. */
  readonly path: string | null;
  readonly facts: FoundPlayer | null;
}

/** What became of one. */
export type Settled = Pick<Reference, 'key' | 'state' | 'source' | 'path'> & {
  readonly facts?: FoundPlayer | null;
};

const columns = ['key', 'kind', 'url', 'page_id', 'state', 'source', 'path', 'facts'];

/** What pages of a revision name, and what became of it. */
export class ReferenceStore {
  /** Notes what pages name; what is known already stays as it is. */
  async note(
    trx: Knex,
    { id, blog_id, revision }: RevisionRef,
    named: readonly (PageReference & { readonly page_id: number })[],
  ): Promise<void> {
    if (named.length === 0) return;
    await trx.raw(
      `insert into static_build_references (blog_id, build_id, revision, key, kind, url, page_id)
       select ?::int, ?::int, ?::int, * from json_to_recordset(?::json) as n (key text, kind text, url text, page_id int)
       on conflict do nothing`,
      [blog_id, id, revision, JSON.stringify(named)],
    );
  }

  /** Open ones of a kind, in the order of their keys. */
  async open(
    sql: Knex,
    { id, revision }: RevisionRef,
    kind: Reference['kind'],
    limit: number,
  ): Promise<Reference[]> {
    const query = sql('static_build_references').where({ build_id: id, revision, kind, state: 'open' });
    return (await query.orderBy('key').limit(limit).select(columns)) as Reference[];
  }

  /** How many of a kind there are, and how many of them are open. */
  async count(sql: Knex, { id, revision }: RevisionRef, kinds: readonly Reference['kind'][]) {
    const row = await sql('static_build_references')
      .where({ build_id: id, revision })
      .whereIn('kind', [...kinds])
      .first(
        sql.raw('count(*)::int as all'),
        sql.raw(`(count(*) filter (where state = 'open'))::int as open`),
      );
    return row as { readonly all: number; readonly open: number };
  }

  async of(
    sql: Knex,
    { id, revision }: RevisionRef,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, Reference>> {
    const query = sql('static_build_references').where({ build_id: id, revision });
    const rows = (await query.whereRaw('key = any(?)', [[...keys]]).select(columns)) as Reference[];
    return new Map(rows.map((row) => [row.key, row]));
  }

  /** Those of files of the site by their addresses. */
  ofFiles(
    sql: Knex,
    revision: RevisionRef,
    urls: readonly string[],
  ): Promise<ReadonlyMap<string, Reference>> {
    return this.of(
      sql,
      revision,
      urls.map((url) => referenceKey('file', url)),
    );
  }

  async settle(trx: Knex, { id, revision }: RevisionRef, settled: readonly Settled[]): Promise<void> {
    if (settled.length === 0) return;
    await trx.raw(
      `update static_build_references r set state = s.state, source = s.source, path = s.path, facts = s.facts
       from json_to_recordset(?::json) as s (key text, state text, source text, path text, facts jsonb)
       where r.build_id = ? and r.revision = ? and r.key = s.key`,
      [JSON.stringify(settled), id, revision],
    );
  }

  /** All that is open of a kind stays a link. */
  async leave(trx: Knex, { id, revision }: RevisionRef, kind: Reference['kind']): Promise<void> {
    await trx('static_build_references')
      .where({ build_id: id, revision, kind, state: 'open' })
      .update({ state: 'left' });
  }
}
