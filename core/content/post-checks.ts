import type { Knex } from 'knex';
import { invalidParams } from '../http/input.ts';
import type { Post } from './post.ts';
import type { PostTermStore } from './post-terms-store.ts';
import type { PostTreeStore } from './post-tree-store.ts';
import type { PostType } from './post-types.ts';
import type { Taxonomies } from './taxonomies.ts';

/** Terms of one taxonomy that a post shall have. */
export interface TermSet {
  readonly taxonomy: string;
  readonly ids: readonly number[];
}

/** Rules about what a post refers to. What was checked stays true until the transaction ends. */
export class PostChecks {
  readonly #tree: PostTreeStore;
  readonly #postTerms: PostTermStore;
  readonly #taxonomies: Taxonomies;

  constructor(tree: PostTreeStore, postTerms: PostTermStore, taxonomies: Taxonomies) {
    this.#tree = tree;
    this.#postTerms = postTerms;
    this.#taxonomies = taxonomies;
  }

  /** @throws `rest_invalid_param` naming `parent_id` or `featured_media` */
  async links(trx: Knex.Transaction, type: PostType, before: Post | null, after: Post): Promise<void> {
    const { blog_id, parent_id, featured_media } = after;
    if (parent_id !== 0 && parent_id !== before?.parent_id) await this.#parent(trx, type, before, after);
    if (featured_media === 0 || featured_media === before?.featured_media) return;
    if (!(await this.#tree.has(trx, blog_id, 'attachment', featured_media))) {
      invalidParams({ featured_media: 'must be an attachment of the site' });
    }
  }

  async #parent(trx: Knex.Transaction, type: PostType, before: Post | null, after: Post): Promise<void> {
    const { id, blog_id, parent_id } = after;
    if (!type.hierarchical) invalidParams({ parent_id: 'must be 0: records of this type have no parent' });
    if (before) await this.#tree.lock(trx, blog_id);
    if (!(await this.#tree.has(trx, blog_id, type.id, parent_id))) {
      invalidParams({ parent_id: 'must be a record of the same site and type' });
    }
    if (before && (await this.#tree.isWithin(trx, id, parent_id))) {
      invalidParams({ parent_id: 'must be neither the record itself nor below it' });
    }
  }

  /** The sets without doubles. @throws `rest_invalid_param` naming `terms.<taxonomy>` */
  async terms(
    trx: Knex.Transaction,
    blogId: number,
    given: Readonly<Record<string, readonly number[]>>,
  ): Promise<TermSet[]> {
    const sets: TermSet[] = [];
    for (const [taxonomy, listed] of Object.entries(given)) {
      const ids = [...new Set(listed)];
      if (this.#taxonomies.get(taxonomy)?.scope !== 'site') {
        invalidParams({ [`terms.${taxonomy.slice(0, 100)}`]: 'is not a taxonomy of the site' });
      }
      const unknown = await this.#postTerms.unknown(trx, blogId, taxonomy, ids);
      if (unknown.length > 0) {
        invalidParams({ [`terms.${taxonomy}`]: `has unknown terms: ${unknown.slice(0, 20).join(', ')}` });
      }
      sets.push({ taxonomy, ids });
    }
    return sets;
  }
}
