/** Encodings that an upload may name. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'windows-1252', 'koi8-r'] as const;
/** One of them. */
export type Encoding = (typeof encodings)[number];

type Read = (bytes: Uint8Array) => string | null;

const decoder =
  (encoding: string): Read =>
  (bytes) => {
    try {
      return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return null;
    }
  };

const utf32 =
  (isLittle: boolean): Read =>
  (bytes) => {
    if (bytes.length % 4 !== 0) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const pieces: string[] = [];
    for (let at = 0; at < bytes.length; at += 4) {
      const point = view.getUint32(at, isLittle);
      if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return null;
      pieces.push(String.fromCodePoint(point));
    }
    return pieces.join('');
  };

interface Mark {
  readonly bytes: readonly number[];
  readonly read: Read;
}

/** The longer marks first: that of UTF-16 begins one of UTF-32. */
const marks: readonly Mark[] = [
  { bytes: [0xff, 0xfe, 0, 0], read: utf32(true) },
  { bytes: [0, 0, 0xfe, 0xff], read: utf32(false) },
  { bytes: [0xef, 0xbb, 0xbf], read: decoder('utf-8') },
  { bytes: [0xff, 0xfe], read: decoder('utf-16le') },
  { bytes: [0xfe, 0xff], read: decoder('utf-16be') },
];

/** Where the zeros are in the first four bytes of a text that begins with Latin letters or digits. */
const unmarked: readonly { readonly zeros: string; readonly read: Read }[] = [
  { zeros: 'x000', read: utf32(true) },
  { zeros: '000x', read: utf32(false) },
  { zeros: 'x0x0', read: decoder('utf-16le') },
  { zeros: '0x0x', read: decoder('utf-16be') },
];

const zerosOf = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, 4), (byte) => (byte === 0 ? '0' : 'x')).join('');

/**
 * The text of a file: by its byte order mark, else in the encoding that is named, else in UTF-8, or in the wider
 * encoding that its zeros give away. Null where it cannot be that.
 */
export function decodeText(bytes: Uint8Array, named: Encoding | undefined): string | null {
  const mark = marks.find((candidate) => candidate.bytes.every((byte, at) => bytes[at] === byte));
  if (mark) return mark.read(bytes.subarray(mark.bytes.length));
  if (named) return decoder(named)(bytes);
  const zeros = zerosOf(bytes);
  const wide = unmarked.find((candidate) => candidate.zeros === zeros);
  return (wide?.read ?? decoder('utf-8'))(bytes);
}
