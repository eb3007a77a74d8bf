import type { Database, ListedPost, MetaKeys, Posts, SiteState, State } from '@lyceum/core';
import type { Knex } from 'knex';
import { type Course, courseOf, courseType } from './course.ts';
import type { CourseStore } from './courses-store.ts';

export interface CourseParts {
  readonly db: Database;
  readonly store: CourseStore;
  readonly posts: Posts;
  readonly metaKeys: MetaKeys;
  readonly state: State;
}

/** Course records, for other modules. While the module is off on a site, the site has none. */
export class Courses {
  readonly #parts: CourseParts;

  constructor(parts: CourseParts) {
    this.#parts = parts;
  }

  /** The course; null for an unknown id, another type or site, in the trash, or while the module is off. */
  async get(blogId: number, id: number): Promise<Course | null> {
    const site = await this.#siteWithCourses(blogId);
    const post = site && (await this.#parts.posts.find(blogId, id));
    if (!site || post?.type !== courseType || post.status === 'trash') return null;
    return this.#course(post, site);
  }

  /**
   * One page of the site's courses outside the trash, by title.
   * @param search words of title, content or `course_id`; empty for all
   */
  async list(
    blogId: number,
    search: string,
    page: { readonly page: number; readonly per_page: number },
  ): Promise<{ readonly items: Course[]; readonly total: number }> {
    const site = await this.#siteWithCourses(blogId);
    if (!site) return { items: [], total: 0 };
    const { items, total } = await this.#parts.posts.list({
      blogId,
      type: courseType,
      statuses: ['publish', 'draft', 'private', 'pending', 'future'],
      search,
      visibleTo: null,
      orderBy: 'title',
      order: 'asc',
      limit: page.per_page,
      offset: (page.page - 1) * page.per_page,
      include: { content: false, meta: true },
    });
    return { items: items.map((post) => this.#course(post, site)), total };
  }

  /** Which of the ids are courses that `get` would find: links to all others count as none. */
  async alive(
    blogId: number,
    ids: readonly number[],
    sql: Knex = this.#parts.db.knex,
  ): Promise<ReadonlySet<number>> {
    if (ids.length === 0 || !(await this.#siteWithCourses(blogId))) return new Set();
    return this.#parts.store.alive(sql, blogId, ids);
  }

  /**
   * Whether there is such a course, for who writes a link to it: it is not deleted before the transaction ends. Ask
   * before you lock what will hold the link, as a deletion takes the course first and then its links.
   */
  async hold(trx: Knex.Transaction, blogId: number, id: number): Promise<boolean> {
    if (!(await this.#siteWithCourses(blogId))) return false;
    return this.#parts.store.hold(trx, blogId, id);
  }

  async #siteWithCourses(blogId: number): Promise<SiteState | null> {
    const site = await this.#parts.state.read(blogId);
    return site?.isOn('lms') ? site : null;
  }

  #course(post: ListedPost, site: SiteState): Course {
    return courseOf(post, this.#parts.metaKeys.shown('post', courseType, post.meta ?? {}, site));
  }
}
