import { type Attachment, type Call, FileLinks } from '@lyceum/core';

/** Makes addresses of the attachment's files that a player can open. */
export interface FileAddresses {
  readonly of: (path: string) => string;
  /** Null where they are good for ever. */
  readonly expireAt: string | null;
}

/**
 * Files of a published attachment are public; all others are opened by a grant. It ends at a multiple of half its
 * time, so that answers of one stretch are the same to the byte and each address is good for that half at least.
 */
export function fileAddresses(call: Call, { post, grant_epoch }: Attachment): FileAddresses {
  const links = call.get(FileLinks);
  if (post.status === 'publish') return { of: (path) => links.plain(call.site, path), expireAt: null };
  const half = call.setting<number>('grant_seconds') / 2;
  const now = call.now().getTime() / 1000;
  const expires = Math.ceil(Math.ceil((now + half) / half) * half);
  const grant = { attachmentId: post.id, expires, epoch: grant_epoch };
  return {
    of: (path) => links.granted(call.site, path, grant),
    expireAt: new Date(expires * 1000).toISOString(),
  };
}
