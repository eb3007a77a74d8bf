import type { MediaInfo } from '../../media/media-info.ts';
import type { Post } from '../post.ts';

/** An attachment: a record of type `attachment`, and the file behind it. */
export interface Attachment {
  readonly post: Post;
  readonly mime_type: string;
  /** A label; see `path` and `file_key` for where the file is. */
  readonly filename: string;
  readonly alt: string;
  /** Below the site's `/files/`. Null, like all that follows, for one that has no file here. */
  readonly path: string | null;
  /** In the storage. */
  readonly file_key: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Pixels as displayed; null for what has no size, or none that is known. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  /** What is known of a film or sound; null for what is neither, or was never looked at. */
  readonly media_info: MediaInfo | null;
  /** Where an imported file came from; null for uploads. */
  readonly source_url: string | null;
  /** Grants name it; they are void once it changes. */
  readonly grant_epoch: number;
}

/** The columns of an attachment beside those of its post. */
export type AttachmentRow = Omit<Attachment, 'post'>;

export const attachmentType = 'attachment';

/** Statuses that a client may give one. */
export const attachmentStatuses = ['publish', 'private'] as const;
/** Where an attachment stands. */
export type AttachmentStatus = (typeof attachmentStatuses)[number];
