import type { Knex } from 'knex';
import type { Actor } from '../api/actor.ts';
import { type CodedError, isCoded } from '../api/errors.ts';
import type { MetaKeys } from './meta-keys.ts';
import type { Notices } from './notices.ts';
import type { Post } from './post.ts';
import type { PostChecks } from './post-checks.ts';
import { applied } from './post-fields.ts';
import { acceptLinks, type PostLink, type RefusedLink } from './post-link-rules.ts';
import type { PostTermStore } from './post-terms-store.ts';
import type { PostTreeStore } from './post-tree-store.ts';
import type { PostTypes } from './post-types.ts';
import { onlyCoded, type PostWriter } from './post-writer.ts';
import { blankPost, type NewPost } from './posts.ts';
import type { PostStore } from './posts-store.ts';

/** A post that comes with its history. Parent and featured media follow by `link`. */
export interface BroughtPost extends Omit<NewPost, 'parent_id' | 'featured_media'> {
  /** RFC 3339 in UTC. */
  readonly modified_at: string;
  /** It lies in the trash; `status` is the one that it had. */
  readonly trashed: boolean;
}

export interface PostBatchParts {
  readonly store: PostStore;
  readonly writer: PostWriter;
  readonly tree: PostTreeStore;
  readonly checks: PostChecks;
  readonly postTerms: PostTermStore;
  readonly types: PostTypes;
  readonly metaKeys: MetaKeys;
  readonly notices: Notices;
  readonly now: () => Date;
}

/** Many posts at a time, by the rules of `Posts`, in a number of statements that does not grow with theirs. */
export class PostBatches {
  readonly #parts: PostBatchParts;

  constructor(parts: PostBatchParts) {
    this.#parts = parts;
  }

  /**
   * Creates posts on the actor's site; at most some hundred at a time. In the place of one that its meta or a
   * listener refuses stands the error; the others are there.
   * @throws `rest_invalid_param` naming `terms.<taxonomy>`, for all of them
   */
  async create(
    trx: Knex.Transaction,
    actor: Actor,
    brought: readonly BroughtPost[],
  ): Promise<(Post | CodedError)[]> {
    const { store, writer, postTerms } = this.#parts;
    const { blog_id } = actor.site;
    await this.#checkTerms(trx, blog_id, brought);
    const ids = await store.nextIds(trx, brought.length);
    const prepared: (Post | CodedError)[] = [];
    for (const [at, given] of brought.entries()) {
      prepared.push(await this.#prepare(trx, actor, ids[at] ?? 0, given).catch(onlyCoded));
    }
    const written = await writer.insertMany(trx, prepared.filter(isPost), new Map());
    const results = prepared.map((result) => (isPost(result) ? (written.shift() ?? result) : result));
    await postTerms.insertMany(trx, blog_id, assignments(brought, results));
    if (results.some((post) => isPost(post) && post.status === 'publish')) {
      await store.touchSite(trx, blog_id);
    }
    return results;
  }

  /**
   * Sets parents and featured media where a post has none yet; what would break a rule is left out and told.
   * `modified_at` stays.
   */
  async link(trx: Knex.Transaction, actor: Actor, links: readonly PostLink[]): Promise<RefusedLink[]> {
    const { store, tree, types, notices } = this.#parts;
    const { blog_id } = actor.site;
    await tree.lock(trx, blog_id);
    const targets = links.flatMap(({ parent_id, featured_media }) => [parent_id, featured_media]);
    const present = [...new Set(targets)].filter((id) => id !== 0);
    const posts = await store.lockMany(
      trx,
      blog_id,
      links.map(({ id }) => id),
    );
    const { changed, refused } = acceptLinks(posts, links, {
      types: await tree.types(trx, blog_id, present),
      above: await tree.above(trx, blog_id, present),
      isHierarchical: (type) => types.get(type)?.hierarchical ?? false,
    });
    for (const { before, after } of changed) {
      await notices.send(trx, actor, { kind: 'post.writing', before, after });
    }
    if (changed.length === 0) return refused;
    await tree.setLinks(
      trx,
      changed.map(({ after }) => after),
    );
    if (changed.some(({ after }) => after.status === 'publish')) await store.touchSite(trx, blog_id);
    return refused;
  }

  async #prepare(trx: Knex.Transaction, actor: Actor, id: number, given: BroughtPost): Promise<Post> {
    const { types, metaKeys, notices, now } = this.#parts;
    const { type, author_id, lang, modified_at, trashed } = given;
    if (!types.get(type)) throw new Error(`No module declares the post type "${type}".`);
    const own = { id, blog_id: actor.site.blog_id, type, author_id, lang };
    const meta = metaKeys.check('post', type, given.meta ?? {}, {});
    const post = { ...applied(null, blankPost(own, now()), given, meta), modified_at };
    const after: Post = trashed ? { ...post, status: 'trash', trashed_status: post.status } : post;
    await notices.send(trx, actor, { kind: 'post.writing', before: null, after });
    return after;
  }

  async #checkTerms(trx: Knex.Transaction, blogId: number, brought: readonly BroughtPost[]): Promise<void> {
    const sets: Record<string, number[]> = {};
    for (const { terms } of brought) {
      for (const [taxonomy, ids] of Object.entries(terms ?? {})) {
        sets[taxonomy] ??= [];
        sets[taxonomy].push(...ids);
      }
    }
    await this.#parts.checks.terms(trx, blogId, sets);
  }
}

const isPost = (result: Post | CodedError): result is Post => !isCoded(result);

/** Pairs of post and term of those that were created; `results` are in the order of `brought`. */
export const assignments = (
  brought: readonly Pick<BroughtPost, 'terms'>[],
  results: readonly (Post | CodedError)[],
): { readonly post_id: number; readonly term_id: number }[] =>
  results.flatMap((post, at) => {
    if (!isPost(post)) return [];
    const terms = Object.values(brought[at]?.terms ?? {}).flat();
    return terms.map((term_id) => ({ post_id: post.id, term_id }));
  });
