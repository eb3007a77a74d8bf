import { extensionOf } from '../../files/file-name.ts';
import type { Post } from '../post.ts';
import type { PostFields } from '../post-fields.ts';
import { searchText } from '../search-text.ts';
import { type AttachmentRow, type AttachmentStatus, attachmentType } from './attachment.ts';

/** What a client may say of an attachment; absent fields stay as they are. */
export interface AttachmentFields {
  readonly status?: AttachmentStatus | undefined;
  readonly title?: string | undefined;
  /** Sanitized and made unique. */
  readonly slug?: string | undefined;
  readonly alt?: string | undefined;
  readonly caption?: string | undefined;
  /** A record of the site that is no attachment, 0 for none. */
  readonly parent_id?: number | undefined;
}

/** The title is made from the file's name when it is absent or empty; the status is `publish`. */
export interface NewAttachment extends AttachmentFields {
  readonly author_id: number;
}

/** The fields as those of the post. */
export const postFields = ({ caption, status, title, slug, parent_id }: AttachmentFields): PostFields => ({
  status,
  title,
  slug,
  parent_id,
  excerpt: caption,
});

/** A file's name without its extension. */
export function titleOf(filename: string): string {
  const extension = extensionOf(filename);
  return extension === '' ? filename : filename.slice(0, -extension.length - 1);
}

/** An attachment is found by the words of its texts and of its file's name. */
export const wordsOfAttachment = (
  { title, excerpt, content }: Pick<Post, 'title' | 'excerpt' | 'content'>,
  { alt, filename }: Pick<AttachmentRow, 'alt' | 'filename'>,
): string => searchText({ title, more: [alt, titleOf(filename)], excerpt, content });

/** The post of an attachment before anything is said of it. `now` in RFC 3339. */
export function blankAttachment(own: Pick<Post, 'id' | 'blog_id' | 'author_id' | 'lang'>, now: string): Post {
  return {
    ...own,
    type: attachmentType,
    status: 'publish',
    trashed_status: null,
    title: '',
    slug: '',
    content: '',
    excerpt: '',
    parent_id: 0,
    menu_order: 0,
    featured_media: 0,
    meta: {},
    private_meta: {},
    hash: '',
    created_at: now,
    modified_at: now,
  };
}
