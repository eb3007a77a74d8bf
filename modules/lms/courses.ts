import type { ListedPost, MetaKeys, Posts, SiteState, State } from '@lyceum/core';
import { type Course, courseOf, courseType } from './course.ts';

/** Course records, for other modules. While the module is off on a site, the site has none. */
export class Courses {
  readonly #posts: Posts;
  readonly #metaKeys: MetaKeys;
  readonly #state: State;

  constructor(posts: Posts, metaKeys: MetaKeys, state: State) {
    this.#posts = posts;
    this.#metaKeys = metaKeys;
    this.#state = state;
  }

  /** The course; null for an unknown id, another type or site, in the trash, or while the module is off. */
  async get(blogId: number, id: number): Promise<Course | null> {
    const site = await this.#siteWithCourses(blogId);
    const post = site && (await this.#posts.find(blogId, id));
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
    const { items, total } = await this.#posts.list({
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

  async #siteWithCourses(blogId: number): Promise<SiteState | null> {
    const site = await this.#state.read(blogId);
    return site?.isOn('lms') ? site : null;
  }

  #course(post: ListedPost, site: SiteState): Course {
    return courseOf(post, this.#metaKeys.shown('post', courseType, post.meta ?? {}, site));
  }
}
