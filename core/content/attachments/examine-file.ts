import { fail } from '../../api/errors.ts';
import { detectContentType } from '../../files/content-type.ts';
import { cleanFileName, cleanFileNameWith, extensionOf } from '../../files/file-name.ts';
import { headOf } from '../../files/head.ts';
import { imageSize } from '../../files/image-size.ts';
import { type MediaFacts, type MediaProbe, noFacts } from '../../media/media-probe.ts';

/** A file on this machine that is to become an attachment's. An operation's uploaded file is one. */
export interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  /** 64 hex digits. */
  readonly sha256: string;
  /** Any label; its extension must agree with the content. */
  readonly name: string;
}

/** What a file is by its content, and what is known of it as a picture, film or sound. */
export interface ExaminedFile extends MediaFacts {
  readonly mime_type: string;
  /** Lower case, without dot. */
  readonly extension: string;
  /** The name without path and control characters, with an extension. */
  readonly filename: string;
}

/** Greatest number of pixels that a column takes; a picture that claims more has no known size. */
const maxPixels = 2_147_483_647;

/**
 * Decides what a file is by its content.
 * @param allowed extensions that the site takes
 * @throws `media_type_not_allowed`
 */
export async function examineFile(
  file: LocalFile,
  allowed: readonly string[],
  probe: MediaProbe,
  signal: AbortSignal,
): Promise<ExaminedFile> {
  const head = await headOf(file.path);
  const type = await detectContentType(head, extensionOf(cleanFileName(file.name)));
  if (type === null || !allowed.includes(type.extension)) return fail('media_type_not_allowed');
  const filename = cleanFileNameWith(file.name, type.extension);
  return { mime_type: type.mime, extension: type.extension, filename, ...(await facts()) };

  async function facts(): Promise<MediaFacts> {
    const mime = type?.mime ?? '';
    if (mime.startsWith('image/')) return { ...noFacts, ...pictureSize(head) };
    return /^(audio|video)\//.test(mime) ? probe.facts(file.path, signal) : noFacts;
  }
}

function pictureSize(head: Uint8Array): Pick<MediaFacts, 'width' | 'height'> {
  const size = imageSize(head);
  return size && size.width <= maxPixels && size.height <= maxPixels ? size : { width: null, height: null };
}
