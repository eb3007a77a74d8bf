import type { Knex } from 'knex';
import type { CoursePage } from './course.ts';
import type { RevisionRef } from './file-store.ts';

/** A page of a revision, as it was when the run came to it. */
export interface RevisionPage {
  readonly number: number;
  readonly page_id: number;
  /** In the cache. */
  readonly hash: string;
  readonly title: string;
  readonly slug: string;
  readonly href: string;
  readonly language: string;
  /** Its address on the site. */
  readonly permalink: string;
  readonly section_id: number | null;
  readonly section_name: string | null;
  readonly modified_at: string;
}

const columns =
  'number page_id hash title slug href language permalink section_id section_name modified_at'.split(' ');

/** The pages of revisions in their order, and what runs leave of themselves. */
export class RevisionStore {
  async addPages(
    trx: Knex,
    { id, blog_id, revision }: RevisionRef,
    pages: readonly RevisionPage[],
  ): Promise<void> {
    if (pages.length === 0) return;
    const rows = pages.map((page) => ({ blog_id, build_id: id, revision, ...page }));
    await trx('static_build_pages').insert(rows).onConflict(['build_id', 'revision', 'number']).ignore();
  }

  /** Pages behind a number, in order. */
  async pages(
    sql: Knex,
    { id, revision }: RevisionRef,
    after: number,
    limit: number,
  ): Promise<RevisionPage[]> {
    const query = sql('static_build_pages').where({ build_id: id, revision }).where('number', '>', after);
    return (await query.orderBy('number').limit(limit).select(columns)) as RevisionPage[];
  }

  /** What earlier revisions and their runs noted is of no use to anybody. */
  async forgetBefore(trx: Knex.Transaction, { id, revision }: RevisionRef): Promise<void> {
    for (const table of ['static_build_pages', 'static_build_references']) {
      await trx(table).where({ build_id: id }).where('revision', '<', revision).delete();
    }
  }

  async drop(trx: Knex.Transaction, { id, revision }: RevisionRef): Promise<void> {
    for (const table of ['static_build_pages', 'static_build_references']) {
      await trx(table).where({ build_id: id, revision }).delete();
    }
  }
}

/** The page as players and manifests see it. */
export const coursePage = (page: RevisionPage): CoursePage => ({
  id: page.page_id,
  ...{ number: page.number, title: page.title, slug: page.slug, href: page.href, language: page.language },
  section: page.section_id === null ? null : { id: page.section_id, name: page.section_name ?? '' },
});
