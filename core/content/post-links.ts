import type { Database } from '../db/database.ts';
import type { Address, Addresses } from '../http/addresses.ts';
import type { Post } from './post.ts';
import type { PostTreeStore } from './post-tree-store.ts';

type Linked = Pick<Post, 'id' | 'type' | 'slug' | 'parent_id'>;

/** Public addresses of posts: pages by the path of their slugs, other types by type and slug. */
export class PostLinks {
  readonly #db: Database;
  readonly #tree: PostTreeStore;
  readonly #addresses: Addresses;

  constructor(db: Database, tree: PostTreeStore, addresses: Addresses) {
    this.#db = db;
    this.#tree = tree;
    this.#addresses = addresses;
  }

  /** Absolute URL of each post of the site, by id; at most one query for all of them. */
  async permalinks(
    site: Address & { readonly blog_id: number },
    posts: readonly Linked[],
  ): Promise<ReadonlyMap<number, string>> {
    const parents = posts.filter((post) => post.type === 'page').map((post) => post.parent_id);
    const asked = [...new Set(parents)].filter((id) => id !== 0);
    const paths = await this.#tree.paths(this.#db.knex, site.blog_id, asked);
    const home = this.#addresses.site(site);
    return new Map(
      posts.map(({ id, type, slug, parent_id }) => {
        const above = type === 'page' ? paths.get(parent_id) : type;
        return [id, `${home}${above ? `${above}/` : ''}${slug}/`];
      }),
    );
  }

  /** Where the post is edited, in the console of its site. */
  edit(site: Address, id: number): string {
    return `${this.#addresses.admin(site)}posts/${id}`;
  }
}
