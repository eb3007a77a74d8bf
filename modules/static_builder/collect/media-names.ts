import { UNKNOWN_TYPE } from '@lyceum/core';

/** Extensions of types as courses name files; the media type of a file says more than its name. */
const extensions: Readonly<Record<string, string>> = {
  'application/epub+zip': 'epub',
  'application/javascript': 'js',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'weba',
  'font/otf': 'otf',
  'font/ttf': 'ttf',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/vnd.microsoft.icon': 'ico',
  'image/webp': 'webp',
  'image/x-icon': 'ico',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/javascript': 'js',
  'text/plain': 'txt',
  'text/vtt': 'vtt',
  'video/mp4': 'mp4',
  'video/ogg': 'ogv',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
};

/** Hex digits of a content's SHA-256 in its name. */
const hashDigits = 32;

/** `media/{hash}.{ext}`: one name for one content, whatever it was called. */
export function mediaPath(sha256: string, mime: string, url: string): string {
  return `media/${sha256.slice(0, hashDigits)}.${extensionFor(mime, url)}`;
}

function extensionFor(mime: string, url: string): string {
  const known = Object.hasOwn(extensions, mime) ? extensions[mime] : undefined;
  if (known !== undefined) return known;
  const named = /\.([a-z0-9]{1,8})$/i.exec(URL.parse(url)?.pathname ?? '')?.[1];
  return named?.toLowerCase() ?? 'bin';
}

/** Lower case, without parameters. */
export const plainType = (header: string | undefined): string =>
  (header ?? UNKNOWN_TYPE).split(';', 1)[0]?.trim().toLowerCase() || UNKNOWN_TYPE;

export const isStyleSheet = (mime: string): boolean => mime === 'text/css';

/** A list of other files, which would all have to come along. */
export const isPlaylist = (mime: string): boolean =>
  mime === 'application/vnd.apple.mpegurl' ||
  mime === 'application/x-mpegurl' ||
  mime === 'application/dash+xml';

const fetched = /^(?:image|audio|video|font)\//;
const fonts = new Set([
  'application/font-sfnt',
  'application/font-woff',
  'application/font-woff2',
  'application/vnd.ms-fontobject',
  'application/x-font-otf',
  'application/x-font-ttf',
  'application/x-font-woff',
]);

/** Whether a file of another host belongs into a course: images, sound, films, fonts and style sheets. */
export const isFetchedType = (mime: string): boolean =>
  (fetched.test(mime) && !isPlaylist(mime)) || fonts.has(mime) || isStyleSheet(mime);
