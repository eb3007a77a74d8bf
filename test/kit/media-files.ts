/** Sound of this many seconds: 8,000 samples each, of one byte. */
export function wav(seconds: number): Buffer {
  const data = Buffer.alloc(8_000 * seconds, 128);
  return Buffer.concat([wavHead(data.length), data]);
}

/** What stands before the samples. */
export function wavHead(dataBytes: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + dataBytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(dataBytes, 40);
  return head;
}

const chunk = (name: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
};

const list = (name: string, ...content: readonly Buffer[]): Buffer =>
  chunk('LIST', Buffer.from(name, 'latin1'), ...content);

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, at * 4);
  return bytes;
};

/** A film of uncompressed grey pictures, ten in a second. The width is a multiple of 4. */
export function avi(width: number, height: number, pictures: number): Buffer {
  const size = width * height * 3;
  const main = words(100_000, size * 10, 0, 0x10, pictures, 0, 1, size, width, height, 0, 0, 0, 0);
  const stream = Buffer.concat([
    Buffer.from('vidsDIB ', 'latin1'),
    words(0, 0, 0, 1, 10, 0, pictures, size, 0, 0, 0, 0),
  ]);
  const format = Buffer.concat([words(40, width, height, 1 | (24 << 16), 0, size, 0, 0, 0, 0)]);
  const headers = list(
    'hdrl',
    chunk('avih', main),
    list('strl', chunk('strh', stream), chunk('strf', format)),
  );
  const frames = Array.from({ length: pictures }, () => chunk('00db', Buffer.alloc(size, 127)));
  return chunk('RIFF', Buffer.from('AVI ', 'latin1'), headers, list('movi', ...frames));
}
