import { crc32, deflateRawSync } from 'node:zlib';

/** What the two headers of an entry say; both say the truth unless a test has them lie. */
export interface HeaderFields {
  readonly name: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
}

export interface ZipEntry {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  /** Default true. */
  readonly deflate?: boolean;
  /** Bytes as they stand in the archive, in place of the packed data. */
  readonly packed?: Buffer;
  /** Unix mode; default that of a file. */
  readonly mode?: number;
  /** What both headers say in place of the truth. */
  readonly both?: Partial<HeaderFields>;
  readonly central?: Partial<HeaderFields>;
  readonly local?: Partial<HeaderFields>;
  /** Where the directory says that the entry begins. */
  readonly offset?: number;
  /** The entry stands in the directory alone. */
  readonly onlyCentral?: boolean;
}

const utf8 = 0x800;

function localHeader({ name, flags, method, crc, packedBytes, bytes }: HeaderFields): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(packedBytes, 18);
  head.writeUInt32LE(bytes, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

function centralHeader(fields: HeaderFields, mode: number, offset: number): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE((3 << 8) | 20, 4);
  head.writeUInt16LE(20, 6);
  head.writeUInt16LE(fields.flags, 8);
  head.writeUInt16LE(fields.method, 10);
  head.writeUInt32LE(fields.crc, 16);
  head.writeUInt32LE(fields.packedBytes, 20);
  head.writeUInt32LE(fields.bytes, 24);
  head.writeUInt16LE(fields.name.length, 28);
  head.writeUInt32LE((mode << 16) >>> 0, 38);
  head.writeUInt32LE(offset, 42);
  return Buffer.concat([head, fields.name]);
}

/** The end of an archive. @param counted entries that it claims to have */
export function endOf(counted: number, directoryBytes: number, directoryStart: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(counted, 8);
  end.writeUInt16LE(counted, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(directoryStart, 16);
  return end;
}

/** An archive, byte by byte as a test wants it. @param counted entries that its end claims to have */
export function zip(entries: readonly ZipEntry[], counted = entries.length): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? '');
    const isDeflated = entry.deflate ?? true;
    const packed = entry.packed ?? (isDeflated ? deflateRawSync(data) : data);
    const truth: HeaderFields = {
      name: Buffer.from(entry.name),
      flags: typeof entry.name === 'string' ? utf8 : 0,
      method: isDeflated ? 8 : 0,
      crc: crc32(data),
      packedBytes: packed.length,
      bytes: data.length,
      ...entry.both,
    };
    directory.push(centralHeader({ ...truth, ...entry.central }, entry.mode ?? 0o100644, entry.offset ?? at));
    if (entry.onlyCentral) continue;
    const written = Buffer.concat([localHeader({ ...truth, ...entry.local }), packed]);
    pieces.push(written);
    at += written.length;
  }
  const list = Buffer.concat(directory);
  return Buffer.concat([...pieces, list, endOf(counted, list.length, at)]);
}

/** An archive of these files, by path. */
export const zipOf = (files: Readonly<Record<string, string | Buffer>>): Buffer =>
  zip(Object.entries(files).map(([name, data]) => ({ name, data })));
