import { yup } from '../api/schema.ts';

/** What a copy of a site takes along. */
export interface CopyFlags {
  /** All posts but those in the trash, with meta and assignments. */
  readonly copy_posts: boolean;
  /** Terms of the site's taxonomies. */
  readonly copy_terms: boolean;
  /** Options of the site, settings and overrides of modules. */
  readonly copy_options: boolean;
  /** Attachments with their files. */
  readonly copy_files: boolean;
  /** Tables of modules, as they declare them. Needs `copy_posts`. */
  readonly copy_modules: boolean;
  /** Memberships with their roles. */
  readonly copy_users: boolean;
}

/** What is wanted of a copy. What is absent is the source's, or the default of the flag. */
export interface CopyWish extends Partial<{ readonly [K in keyof CopyFlags]: CopyFlags[K] | undefined }> {
  readonly source_blog_id: number;
  /** As somebody typed it. */
  readonly slug: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly public?: number | undefined;
  readonly status_id?: number | null | undefined;
  readonly category_ids?: readonly number[] | undefined;
  /** Becomes the copy's administrator; absent: who wants it. */
  readonly user_id?: number | undefined;
  readonly is_template?: boolean | undefined;
}

/** What the job of a copy lives by; its payload may hold more for clients to see. */
export interface CopyPayload extends Partial<CopyFlags> {
  readonly source_blog_id: number;
  readonly target_blog_id: number;
  readonly user_id?: number;
}

/** The fields of a body that say what is copied. */
export const copyFlagFields = {
  copy_posts: yup.boolean(),
  copy_terms: yup.boolean(),
  copy_options: yup.boolean(),
  copy_files: yup.boolean(),
  copy_modules: yup.boolean(),
  copy_users: yup.boolean(),
};

type Flags = { readonly [K in keyof CopyFlags]?: CopyFlags[K] | undefined };

/** The flags with their defaults: all but people; what modules keep follows the posts. */
export function copyFlags(given: Flags): CopyFlags {
  const { copy_posts = true, copy_terms = true, copy_options = true, copy_files = true } = given;
  const { copy_modules = copy_posts, copy_users = false } = given;
  return { copy_posts, copy_terms, copy_options, copy_files, copy_modules, copy_users };
}
