import type { Knex } from 'knex';
import { activeStatuses } from './build.ts';
import type { PageFacts } from './collect/page-facts.ts';

/** A page as it was rendered, whichever build it is in. */
export interface CachedPage {
  readonly page_id: number;
  /** Of all that the rendering was made of. */
  readonly hash: string;
  readonly html: string;
  readonly facts: PageFacts;
}

/** Rows that one statement deletes. */
const batch = 500;

type Wanted = Pick<CachedPage, 'page_id' | 'hash'>;

const keysOf = (pages: readonly Wanted[]): [number[], string[]] => [
  pages.map(({ page_id }) => page_id),
  pages.map(({ hash }) => hash),
];

/** Rendered pages. */
export class PageCacheStore {
  /** Notes that somebody asked for these, once a day. */
  async meet(trx: Knex, blogId: number, pages: readonly Wanted[]): Promise<void> {
    await trx.raw(
      `update static_build_page_cache c set used_at = now()
       from unnest(?::int[], ?::text[]) as w (page_id, hash)
       where c.blog_id = ? and c.page_id = w.page_id and c.hash = w.hash and c.used_at < now() - interval '1 day'`,
      [...keysOf(pages), blogId],
    );
  }

  async put(trx: Knex, blogId: number, pages: readonly CachedPage[]): Promise<void> {
    if (pages.length === 0) return;
    const rows = pages.map(({ facts, ...page }) => ({
      ...{ blog_id: blogId, ...page, facts: JSON.stringify(facts) },
    }));
    await trx('static_build_page_cache').insert(rows).onConflict(['blog_id', 'page_id', 'hash']).ignore();
  }

  /** What is known of these, without their HTML. */
  async facts(sql: Knex, blogId: number, pages: readonly Wanted[]): Promise<ReadonlyMap<number, PageFacts>> {
    const { rows } = (await sql.raw(
      `select c.page_id, c.facts from static_build_page_cache c
       join unnest(?::int[], ?::text[]) as w (page_id, hash) on c.page_id = w.page_id and c.hash = w.hash
       where c.blog_id = ?`,
      [...keysOf(pages), blogId],
    )) as { rows: Pick<CachedPage, 'page_id' | 'facts'>[] };
    return new Map(rows.map(({ page_id, facts }) => [page_id, facts]));
  }

  async html(sql: Knex, blogId: number, { page_id, hash }: Wanted): Promise<string | null> {
    const row = await sql('static_build_page_cache').where({ blog_id: blogId, page_id, hash }).first('html');
    return (row as { html: string } | undefined)?.html ?? null;
  }

  /** All of a page that is gone, but for what a run has in hand. */
  async forgetPage(trx: Knex.Transaction, blogId: number, pageId: number): Promise<void> {
    await trx.raw(
      `delete from static_build_page_cache c where c.blog_id = ? and c.page_id = ? and not exists (
         select 1 from static_builds b join static_build_pages p on p.build_id = b.id and p.revision = b.revision
         where b.blog_id = c.blog_id and b.status = any(?) and p.page_id = c.page_id)`,
      [blogId, pageId, [...activeStatuses]],
    );
  }

  /** True while there may be more of them. A page that a run has in hand was just asked for. */
  async forgetOld(sql: Knex, days: number): Promise<boolean> {
    const { rowCount } = (await sql.raw(
      `delete from static_build_page_cache where ctid in (
         select ctid from static_build_page_cache where used_at < now() - make_interval(days => ?) limit ?)`,
      [days, batch],
    )) as { rowCount: number };
    return rowCount === batch;
  }
}
