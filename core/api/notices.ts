import type { Post } from '../content/post.ts';

/** A post as listeners see it: before and after the change. */
export type Notice =
  | {
      readonly kind: 'post.writing';
      readonly before: Post | null;
      readonly after: Post;
      readonly userId: number | null;
    }
  | { readonly kind: 'post.trashed'; readonly post: Post }
  | { readonly kind: 'post.restored'; readonly post: Post }
  | { readonly kind: 'post.deleted'; readonly post: Post }
  | {
      readonly kind: 'term.deleted';
      readonly blogId: number | null;
      readonly taxonomy: string;
      readonly termId: number;
    }
  | { readonly kind: 'user.deleted'; readonly userId: number };
