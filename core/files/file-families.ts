/** Films and sound in boxes: what stands in them is told apart by a player, not by the brand in the header. */
const BOXES = ['mp4', 'm4v', 'mov', 'm4a', 'm4b', 'm4p', 'f4v', 'f4a', '3gp', '3g2'];
const OGG_SOUND = ['ogg', 'oga', 'opus', 'spx', 'ogx'];

/** Extension of a file's name → the names that file-type gives to contents which agree with it. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  jpeg: ['jpg'],
  jpe: ['jpg'],
  png: ['png', 'apng'],
  heif: ['heic'],
  tiff: ['tif'],
  mp4: BOXES,
  m4v: BOXES,
  mov: BOXES,
  m4a: BOXES,
  m4b: BOXES,
  mkv: ['mkv', 'webm'],
  ogg: OGG_SOUND,
  oga: OGG_SOUND,
  ogv: ['ogv', 'ogm', 'ogx'],
  mpeg: ['mpg'],
  midi: ['mid'],
  aiff: ['aif'],
  wmv: ['asf'],
  wma: ['asf'],
  ts: ['mts'],
  m2ts: ['mts'],
  gz: ['gz', 'tar.gz'],
  tgz: ['gz', 'tar.gz'],
  doc: ['cfb'],
  xls: ['cfb'],
  ppt: ['cfb'],
};

/** Contents that may name a file which came without extension. */
const SELF_EVIDENT = new Set(
  'jpg png gif webp avif pdf ogg opus wav flac mp4 m4v m4a mov webm mkv avi zip docx xlsx pptx'.split(' '),
);

/** True when content that file-type calls `detected` may be in a file of this extension. */
export function agrees(extension: string, detected: string): boolean {
  return Object.hasOwn(FAMILIES, extension)
    ? (FAMILIES[extension]?.includes(detected) ?? false)
    : extension === detected;
}

/** The extension of a file that has none, by what file-type calls its content; null when it is not certain. */
export function ownExtension(detected: string): string | null {
  const extension = detected === 'apng' ? 'png' : detected;
  return SELF_EVIDENT.has(extension) ? extension : null;
}
