import { attachmentType } from './attachments/attachment.ts';
import type { Post } from './post.ts';

/** What a post shall be linked to; 0 leaves it as it is. */
export interface PostLink {
  readonly id: number;
  readonly parent_id: number;
  readonly featured_media: number;
}

/** A link that was left out, and of which post. */
export interface RefusedLink {
  readonly id: number;
  readonly field: 'parent_id' | 'featured_media';
}

/** What is known of the posts that links lead to. */
export interface LinkFacts {
  /** Type of each that the site has. */
  readonly types: ReadonlyMap<number, string>;
  /** Parent of each, and of all above them. */
  readonly above: ReadonlyMap<number, number>;
  isHierarchical(type: string): boolean;
}

export interface AcceptedLinks {
  readonly changed: readonly { readonly before: Post; readonly after: Post }[];
  readonly refused: RefusedLink[];
}

/** Decides which links may be set, each in the light of those before it: no parent is ever its own descendant. */
export function acceptLinks(
  posts: readonly Post[],
  links: readonly PostLink[],
  { types, above, isHierarchical }: LinkFacts,
): AcceptedLinks {
  const wanted = new Map(links.map((link) => [link.id, link]));
  const parents = new Map(above);
  const refused: RefusedLink[] = [];
  const changed: { before: Post; after: Post }[] = [];
  for (const before of posts) {
    const link = wanted.get(before.id);
    if (!link) continue;
    const after = { ...before, ...newParent(before, link), ...newMedia(before, link) };
    const isNew = after.parent_id !== before.parent_id || after.featured_media !== before.featured_media;
    if (isNew) changed.push({ before, after });
  }
  return { changed, refused };

  function newParent(post: Post, { id, parent_id }: PostLink): { parent_id?: number } {
    if (parent_id === 0 || post.parent_id !== 0) return {};
    if (!mayBeParent(post, types.get(parent_id)) || isWithin(id, parent_id)) {
      refused.push({ id, field: 'parent_id' });
      return {};
    }
    parents.set(id, parent_id);
    return { parent_id };
  }

  function newMedia(post: Post, { id, featured_media }: PostLink): { featured_media?: number } {
    if (featured_media === 0 || post.featured_media !== 0) return {};
    if (types.get(featured_media) === attachmentType) return { featured_media };
    refused.push({ id, field: 'featured_media' });
    return {};
  }

  /** An attachment belongs to any record that is none; other records to one of their own type. */
  function mayBeParent(post: Post, type: string | undefined): boolean {
    if (type === undefined) return false;
    return post.type === attachmentType
      ? type !== attachmentType
      : type === post.type && isHierarchical(type);
  }

  function isWithin(ancestor: number, id: number): boolean {
    const seen = new Set<number>();
    for (let at = id; at !== 0 && !seen.has(at); at = parents.get(at) ?? 0) {
      if (at === ancestor) return true;
      seen.add(at);
    }
    return false;
  }
}
