import type { Context } from 'koa';
import type { Logger } from 'pino';
import type { ArtifactFile, ArtifactFiles } from '../artifacts/artifact-file-store.ts';
import { artifactsSegment } from '../artifacts/artifact-place.ts';
import type { CapabilityTable } from '../auth/capabilities.ts';
import { mayReadAttachment } from '../content/attachments/attachment-rights.ts';
import type { SiteFile, SiteFiles } from '../content/attachments/site-file-store.ts';
import type { Rights } from '../content/post-rights.ts';
import type { Exchange } from '../http/exchange.ts';
import { isRead } from '../http/only-reads.ts';
import type { SiteSurface } from '../http/server.ts';
import { type FileLinks, filesSegment } from './file-links.ts';
import type { Grant } from './grants.ts';
import { noSuchFile, sendStored } from './send-stored.ts';
import { decideServe } from './serve.ts';
import { readServedPath } from './served-path.ts';
import type { Storage } from './storage.ts';

/** So often a file may be replaced under the eyes of one reader. */
const mostLooks = 5;

export interface FileServerParts {
  readonly files: SiteFiles;
  readonly artifacts: ArtifactFiles;
  readonly links: FileLinks;
  readonly storage: Storage;
  readonly capabilities: CapabilityTable;
  readonly now: () => Date;
  readonly log: Logger;
}

/**
 * Serves `/files/…` of a site. Files of a published attachment are public; all others are not there, except for
 * a cookie session whose user may read the attachment, and under a grant.
 */
export class FileServer implements SiteSurface {
  readonly #parts: FileServerParts;

  constructor(parts: FileServerParts) {
    this.#parts = parts;
  }

  async serve(exchange: Exchange): Promise<boolean> {
    const { ctx, rest } = exchange;
    if (!rest.startsWith(`${filesSegment}/`)) return false;
    if (isRead(ctx)) await this.#answer(exchange);
    return true;
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { ctx, identity, rest } = exchange;
    const { path: raw, grant } = this.#parts.links.read(
      rest.slice(filesSegment.length + 1),
      this.#parts.now(),
    );
    const path = readServedPath(raw);
    if (path === null || grant === null) return noSuchFile();
    let lost: SiteFile | null = null;
    for (let look = 0; look < mostLooks; look += 1) {
      const artifact = path.startsWith(`${artifactsSegment}/`)
        ? await this.#parts.artifacts.find(identity.blog_id, path)
        : null;
      const file = artifact ?? (await this.#parts.files.find(identity.blog_id, path));
      if (file === null || !this.#mayOpen(exchange, file, grant)) return noSuchFile();
      // The very file that was missing: nobody replaced it meanwhile.
      if (file.file_key === lost?.file_key) break;
      if (await this.#sent(ctx, file, artifact, grant)) return;
      lost = file;
    }
    this.#parts.log.error({ attachment: lost?.attachment_id }, 'a stored file is missing or not whole');
    return noSuchFile();
  }

  /** False when the file is not there, as that of a row which was replaced since it was read. */
  async #sent(
    ctx: Context,
    file: SiteFile,
    artifact: ArtifactFile | null,
    grant: Grant | undefined,
  ): Promise<boolean> {
    const decision = decideServe(ctx.method === 'HEAD' ? 'HEAD' : 'GET', ctx.req.headers, {
      bytes: file.bytes,
      modified: new Date(file.modified_at),
      mime: file.mime_type,
      filename: file.filename,
      pagePolicy: null,
      etag: file.sha256.slice(0, 32),
      // The address of an attachment stays when the file behind it is replaced.
      immutable: artifact?.immutable ?? false,
      visibility: file.status === 'publish' && grant === undefined ? 'public' : 'private',
      // Grants and artifacts are made for players that may stand anywhere.
      crossOrigin: artifact !== null || grant !== undefined,
    });
    return sendStored(ctx, this.#parts.storage, file, decision);
  }

  #mayOpen(exchange: Exchange, file: SiteFile, grant: Grant | undefined): boolean {
    if (file.status === 'trash') return false;
    if (grant) return grant.attachmentId === file.attachment_id && grant.epoch === file.grant_epoch;
    return file.status === 'publish' || mayReadAttachment(this.#viewer(exchange), file);
  }

  /** The user of a cookie session; nobody for every other credential. A nonce is not asked for. */
  #viewer({ identity, presented }: Exchange): Rights {
    const { user_id, role, super_admin } = identity;
    const user = presented.session && !presented.basic && user_id !== null ? { id: user_id } : null;
    return {
      user,
      can: (capability) => user !== null && this.#parts.capabilities.holds(role, super_admin, capability),
    };
  }
}
