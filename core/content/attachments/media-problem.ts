import { imageSize } from '../../files/image-size.ts';
import type { MediaProbe } from '../../media/media-probe.ts';
import { type ExaminedFile, headOf, type LocalFile } from './examine-file.ts';

/** Pictures whose header says more are never decoded: 100 megapixels. */
const mostPixels = 100_000_000;

/** Pictures whose size stands in their header. */
const measured = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);

/** Why an examined file is none that could be shown or played. */
export type FileProblem = 'not_media' | 'no_duration' | 'picture_too_large';

/**
 * Looks whether a picture, a film or sound is what its first bytes promise. Null when it is, or when nobody here can
 * say.
 */
export async function mediaProblem(
  file: LocalFile,
  { mime_type, duration, width }: ExaminedFile,
  probe: MediaProbe,
): Promise<FileProblem | null> {
  if (measured.has(mime_type)) {
    const size = imageSize(await headOf(file.path));
    if (size === null) return 'not_media';
    return size.width * size.height > mostPixels ? 'picture_too_large' : null;
  }
  if (!/^(audio|video)\//.test(mime_type) || !probe.isThere || duration !== null) return null;
  return width === null ? 'not_media' : 'no_duration';
}
