import { headOf } from '../../files/head.ts';
import { imageSize } from '../../files/image-size.ts';
import type { MediaProblem } from '../../media/media-info.ts';
import type { MediaProbe } from '../../media/media-probe.ts';
import type { ExaminedFile, LocalFile } from './examine-file.ts';

/** Pictures whose header says more are never decoded: 100 megapixels. */
const mostPixels = 100_000_000;

/** Pictures whose size stands in their header. */
const measured = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);

/**
 * Why an examined picture, film or sound is none that could be shown or played. Null when it is one, or when nobody
 * here can say.
 */
export async function mediaProblem(
  file: LocalFile,
  { mime_type, media_info }: ExaminedFile,
  probe: MediaProbe,
  signal: AbortSignal,
): Promise<MediaProblem | null> {
  if (measured.has(mime_type)) {
    return sizeProblem(await headOf(file.path)) ?? probe.pictureProblem(file.path, mime_type, signal);
  }
  if (!/^(audio|video)\//.test(mime_type) || media_info !== null || !probe.isThere) return null;
  const info = await probe.info(file.path, signal);
  return typeof info === 'string' ? info : null;
}

function sizeProblem(head: Uint8Array): MediaProblem | null {
  const size = imageSize(head);
  if (size === null) return 'not_media';
  return size.width * size.height > mostPixels ? 'picture_too_large' : null;
}
