import type { Knex } from 'knex';
import { courseType } from './course.ts';

/** Which courses there are, what they ask of pages, and what a page that goes takes out of them. */
export class CourseStore {
  /** Which of the ids are no pages of the site outside the trash; those that are stay until the transaction ends. */
  async notPages(trx: Knex.Transaction, blogId: number, ids: readonly number[]): Promise<number[]> {
    const rows = (await trx('posts')
      .where({ blog_id: blogId, type: 'page' })
      .whereIn('id', ids)
      .whereNot('status', 'trash')
      .forKeyShare()
      .select('id')) as { id: number }[];
    const pages = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !pages.has(id));
  }

  /** Which of the ids are courses of the site outside the trash. */
  async alive(sql: Knex, blogId: number, ids: readonly number[]): Promise<Set<number>> {
    return new Set(await this.#courses(sql, blogId, ids).pluck<number[]>('id'));
  }

  /** Whether the id is a course of the site outside the trash; it cannot be deleted until the transaction ends. */
  async hold(trx: Knex.Transaction, blogId: number, id: number): Promise<boolean> {
    return (await this.#courses(trx, blogId, [id]).forKeyShare().first('id')) !== undefined;
  }

  #courses(sql: Knex, blogId: number, ids: readonly number[]): Knex.QueryBuilder {
    return sql('posts')
      .where({ blog_id: blogId, type: courseType })
      .whereRaw('id = any(?)', [[...ids]])
      .whereNot('status', 'trash');
  }

  /** Takes a page out of the `page_ids` of all courses of its site. */
  async dropPage(trx: Knex.Transaction, blogId: number, pageId: number): Promise<void> {
    const others = trx.raw(
      `jsonb_set(meta, '{page_ids}', (
         select coalesce(jsonb_agg(page order by place), '[]')
         from jsonb_array_elements(meta -> 'page_ids') with ordinality as pages (page, place)
         where page <> to_jsonb(?::int)))`,
      [pageId],
    );
    await trx('posts')
      .where({ blog_id: blogId, type: courseType })
      .whereRaw(`meta -> 'page_ids' @> to_jsonb(?::int)`, [pageId])
      .update({ meta: others });
  }
}
