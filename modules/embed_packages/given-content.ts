import { createHash } from 'node:crypto';
import { type Call, decodeText, fail, headOf, isMarkup, type UploadedFile } from '@lyceum/core';
import type { StoredContent } from './content.ts';
import type { Target } from './content-writer.ts';
import { isDocument } from './package-path.ts';
import { bytesOf, fileAt, writeHtml } from './write-html.ts';
import { writeZip } from './write-zip.ts';
import { ArchiveProblem, refuse } from './zip/archive-problem.ts';
import type { ArchiveLimits } from './zip/limits.ts';

/** Content as a client gives it, not yet looked into. */
export interface GivenContent {
  /** SHA-256 of its bytes, 64 hex digits. */
  readonly hash: string;
  /**
   * Stores it.
   * @throws `embed_packages_invalid_zip`, `embed_packages_no_entry`, errors of the storage
   */
  readonly write: (target: Omit<Target, 'limit'>) => Promise<StoredContent>;
}

/** HTML that was entered. @throws `rest_body_too_large` */
export function givenHtml(call: Call, html: string): GivenContent {
  const limit = call.setting<number>('max_html_bytes');
  if (Buffer.byteLength(html) > limit) fail('rest_body_too_large');
  const hash = createHash('sha256').update(html, 'utf8').digest('hex');
  return { hash, write: (target) => writeHtml({ ...target, limit }, () => bytesOf(html), hash) };
}

/**
 * An uploaded file: an archive or an HTML document, told by its content.
 * @param wanted path of the document that an archive is to begin with
 * @throws `rest_body_too_large`, `embed_packages_invalid_zip`
 */
export async function givenFile(
  call: Call,
  file: UploadedFile,
  wanted: string | null,
): Promise<GivenContent> {
  const head = await headOf(file.path);
  if (isHtml(head, file.name)) {
    const limit = call.setting<number>('max_html_bytes');
    if (file.bytes > limit) fail('rest_body_too_large');
    return {
      hash: file.sha256,
      write: (target) => writeHtml({ ...target, limit }, () => fileAt(file.path), file.sha256),
    };
  }
  const limits = limitsOf(call);
  const write = (target: Omit<Target, 'limit'>) =>
    refused(() => writeZip({ ...target, limit: limits.maxUnpackedBytes }, file, limits, wanted));
  if (!startsLikeZip(head)) await refused(async () => refuse('not_zip', null));
  return { hash: file.sha256, write };
}

const startsLikeZip = (head: Uint8Array): boolean => head[0] === 0x50 && head[1] === 0x4b;

/** Text that is markup, or is called HTML: a fragment may begin with a word. */
const isHtml = (head: Uint8Array, name: string): boolean =>
  !startsLikeZip(head) && decodeText(head) !== null && (isMarkup(head) || isDocument(name));

const limitsOf = (call: Call): ArchiveLimits => ({
  maxFiles: call.setting('max_files'),
  maxUnpackedBytes: call.setting('max_unpacked_bytes'),
  maxRatio: call.setting('max_ratio'),
});

/** The answer to an archive that is refused. */
async function refused<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error;
    const { reason, entry } = error;
    const about = entry === null ? '' : `: ${entry}`;
    return fail('embed_packages_invalid_zip', {
      message: `The archive is refused (${reason}${about}).`,
      data: { reason, entry },
    });
  }
}
