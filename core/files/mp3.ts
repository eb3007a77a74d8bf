/** Bits per second / 1000 of layer III, by the index of the frame header. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** Samples per second by version bits (2.5, reserved, 2, 1) and index. */
const SAMPLE_RATES = [[11025, 12000, 8000], null, [22050, 24000, 16000], [44100, 48000, 32000]];

/**
 * True when the head is MPEG layer III sound: tags, then zeros, then a frame that another follows. A tag
 * that is longer than the head, as with an embedded picture, is believed.
 * The two bytes of a frame's mark alone would also let UTF-16 text pass.
 */
export function looksLikeMp3(head: Uint8Array): boolean {
  let at = 0;
  for (let tag = tagLength(head, at); tag > 0; tag = tagLength(head, at)) at += tag;
  if (at > 0 && at >= head.byteLength) return true;
  while (head[at] === 0) at += 1;
  const length = frameLength(head, at);
  if (length === null) return false;
  const next = at + length;
  return next + 4 > head.byteLength || frameLength(head, next) !== null || isTrailer(head, next);
}

/** Bytes of the ID3v2 tag at `at`, 0 when there is none. */
function tagLength(head: Uint8Array, at: number): number {
  if (head[at] !== 0x49 || head[at + 1] !== 0x44 || head[at + 2] !== 0x33) return 0;
  const size = [6, 7, 8, 9].map((offset) => head[at + offset] ?? 0xff);
  if (size.some((byte) => byte > 0x7f)) return 0;
  const footer = ((head[at + 5] ?? 0) & 0x10) === 0 ? 0 : 10;
  return size.reduce((sum, byte) => sum * 128 + byte, 0) + 10 + footer;
}

/** Bytes of the layer III frame at `at`, null when there is none. */
function frameLength(head: Uint8Array, at: number): number | null {
  const [first = 0, second = 0, third = 0] = head.subarray(at, at + 3);
  const layerThree = 0b01;
  if (first !== 0xff || (second & 0xe0) !== 0xe0 || ((second >> 1) & 3) !== layerThree) return null;
  const version = (second >> 3) & 3;
  const sampleRate = SAMPLE_RATES[version]?.[(third >> 2) & 3];
  const bitrate = (version === 3 ? BITRATES_1 : BITRATES_2)[third >> 4];
  if (sampleRate === undefined || !bitrate) return null;
  const samples = version === 3 ? 1152 : 576;
  return Math.floor((samples * bitrate * 125) / sampleRate) + ((third >> 1) & 1);
}

/** Behind the last frame: an old tag, or zeros. */
function isTrailer(head: Uint8Array, at: number): boolean {
  const mark = String.fromCharCode(...head.subarray(at, at + 3));
  return mark === 'TAG' || mark === 'APE' || mark === '\0\0\0';
}
