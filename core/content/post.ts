/** A record of the host: page, post, modal, course, form, attachment or a module's own type. */
export interface Post {
  readonly id: number;
  readonly blog_id: number;
  readonly type: string;
  readonly status: PostStatus;
  /** Status before the trash. */
  readonly trashed_status: PostStatus | null;
  readonly title: string;
  readonly slug: string;
  readonly content: string;
  readonly excerpt: string;
  readonly author_id: number;
  readonly parent_id: number;
  readonly menu_order: number;
  readonly lang: string;
  readonly featured_media: number;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Keys that begin with `_`: kept, never shown. */
  readonly private_meta: Readonly<Record<string, unknown>>;
  /** Hash of the document. */
  readonly hash: string;
  readonly created_at: string;
  readonly modified_at: string;
}

/** Where a post stands. */
export type PostStatus = 'publish' | 'draft' | 'private' | 'pending' | 'future' | 'trash';
