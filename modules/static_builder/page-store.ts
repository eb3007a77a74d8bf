import type { Post } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Build } from './build.ts';

/** Statuses that a page of a course may have. */
const pageStatuses = ['publish', 'draft', 'private', 'pending'];

const postColumns = (
  'id blog_id type status trashed_status title slug content excerpt author_id parent_id menu_order lang ' +
  'featured_media meta private_meta hash created_at modified_at'
).split(' ');

/** A page that a course may be made of. */
export interface CatalogPage {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly menu_order: number;
  readonly status: string;
}

/** The section of a page. */
export interface PageSection {
  readonly page_id: number;
  readonly id: number;
  readonly name: string;
  readonly names: Readonly<Record<string, string>>;
}

const inCatalog = (sql: Knex, blogId: number): Knex.QueryBuilder =>
  sql('posts').where({ blog_id: blogId, type: 'page' }).whereIn('status', pageStatuses);

/** What builds ask of the pages of their site. */
export class PageStore {
  /** All of them, in the order of menus. */
  async catalog(sql: Knex, blogId: number): Promise<CatalogPage[]> {
    const query = inCatalog(sql, blogId).orderBy(['menu_order', 'id']);
    return (await query.select('id', 'title', 'slug', 'menu_order', 'status')) as CatalogPage[];
  }

  /** Which of the ids are pages of the catalog; they stay until the transaction ends. */
  async among(trx: Knex, blogId: number, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const query = inCatalog(trx, blogId).whereRaw('id = any(?)', [[...ids]]);
    const rows = (await query.select('id', 'title')) as { id: number; title: string }[];
    return new Map(rows.map(({ id, title }) => [id, title]));
  }

  async hasAny(sql: Knex, blogId: number, ids: readonly number[]): Promise<boolean> {
    const query = inCatalog(sql, blogId).whereRaw('id = any(?)', [[...ids]]);
    return (await query.first('id')) !== undefined;
  }

  /** Which of the builds have a page in a section. One query. */
  async withSections(sql: Knex, builds: readonly Pick<Build, 'id'>[]): Promise<ReadonlySet<number>> {
    if (builds.length === 0) return new Set();
    const { rows } = (await sql.raw(
      `select b.id from static_builds b where b.id = any(?) and exists (
         select 1 from post_terms a join terms t on t.id = a.term_id
         where a.post_id = any(b.page_ids) and t.taxonomy = 'course_section' and t.blog_id = b.blog_id)`,
      [builds.map(({ id }) => id)],
    )) as { rows: { id: number }[] };
    return new Set(rows.map(({ id }) => id));
  }

  /** Pages of the catalog whole, by id. One query. */
  async whole(sql: Knex, blogId: number, ids: readonly number[]): Promise<ReadonlyMap<number, Post>> {
    const query = inCatalog(sql, blogId).whereRaw('id = any(?)', [[...ids]]);
    const rows = (await query.select(postColumns)) as Post[];
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The section of each page that has one; of several the first. One query. */
  async sections(
    sql: Knex,
    blogId: number,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, PageSection>> {
    const { rows } = (await sql.raw(
      `select distinct on (a.post_id) a.post_id as page_id, t.id, t.name, t.names
       from post_terms a join terms t on t.id = a.term_id
       where a.post_id = any(?) and t.taxonomy = 'course_section' and t.blog_id = ?
       order by a.post_id, t."order", t.id`,
      [[...ids], blogId],
    )) as { rows: PageSection[] };
    return new Map(rows.map((row) => [row.page_id, row]));
  }
}
