import { type Artifact, PlaybackArtifacts, SiteFiles } from '@lyceum/core';
import type { Work } from '../jobs/work.ts';

/** A stored file of the site. */
export interface SiteSource {
  readonly attachment_id: number;
  readonly file_key: string;
  readonly bytes: number;
  /** Null where nobody counted. */
  readonly sha256: string | null;
  readonly mime_type: string;
}

const artifactPath = /^artifacts\/([1-9]\d{0,9})-/;

/** What lies below `/files/` of the site: files of attachments, and what was made for players of them. */
export class SiteSources {
  readonly #work: Work;

  constructor(work: Work) {
    this.#work = work;
  }

  /** @param path below `/files/`; null when there is nothing, or only in the trash */
  async find(path: string): Promise<SiteSource | null> {
    const attachmentId = artifactPath.exec(path)?.[1];
    if (attachmentId !== undefined) return this.#artifact(Number(attachmentId), path);
    const file = await this.#work.job.get(SiteFiles).find(this.#work.build.blog_id, path);
    if (file === null || file.status === 'trash') return null;
    const { attachment_id, file_key, bytes, sha256, mime_type } = file;
    return { attachment_id, file_key, bytes, sha256, mime_type };
  }

  async #artifact(attachmentId: number, path: string): Promise<SiteSource | null> {
    const artifacts = this.#work.job.get(PlaybackArtifacts);
    const all = await artifacts.list(this.#work.build.blog_id, attachmentId, {});
    const found = all.find((one) => one.path === path);
    return found === undefined ? null : this.#ofArtifact(attachmentId, found);
  }

  async #ofArtifact(attachment_id: number, artifact: Artifact): Promise<SiteSource | null> {
    const { mime_type, tree } = artifact;
    for await (const { key, bytes } of this.#work.job.get(PlaybackArtifacts).files(artifact)) {
      // A tree is entered by a playlist, and that is not taken along.
      return {
        attachment_id,
        file_key: key,
        bytes,
        sha256: null,
        mime_type: tree ? 'application/vnd.apple.mpegurl' : mime_type,
      };
    }
    return null;
  }
}
