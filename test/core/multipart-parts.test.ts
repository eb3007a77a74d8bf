import { expect } from 'chai';
import fc from 'fast-check';
import { BrokenMultipart, boundaryOf, multipartParts } from '../../core/http/multipart-parts.ts';
import { readPartHeaders } from '../../core/http/part-headers.ts';

interface Part {
  readonly name: string | null;
  readonly filename: string | null;
  readonly bytes: Buffer;
}

async function* inPieces(body: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let turn = 0; at < body.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield body.subarray(at, at + size);
    at += size;
  }
}

async function read(
  body: Buffer | string,
  boundary: string,
  sizes: readonly number[] = [1 << 20],
): Promise<Part[]> {
  const parts: { name: string | null; filename: string | null; pieces: Buffer[] }[] = [];
  for await (const event of multipartParts(inPieces(Buffer.from(body), sizes), boundary)) {
    if (event.kind === 'part') parts.push({ ...event.headers, pieces: [] });
    else parts.at(-1)?.pieces.push(Buffer.from(event.bytes));
  }
  return parts.map(({ name, filename, pieces }) => ({ name, filename, bytes: Buffer.concat(pieces) }));
}

async function refusal(body: Buffer | string, boundary: string): Promise<string> {
  try {
    await read(body, boundary, [7]);
  } catch (error) {
    if (error instanceof BrokenMultipart) return error.message;
    throw error;
  }
  return 'none';
}

const part = (headers: string, content: string): string => `--B\r\n${headers}\r\n\r\n${content}\r\n`;
const field = (name: string, content: string): string =>
  part(`Content-Disposition: form-data; name="${name}"`, content);

describe('a multipart body', () => {
  it('is read the same in whatever pieces it comes', async () => {
    const boundary = 'xB-B';
    // Much of it looks like the boundary or the beginning of one.
    const content = fc
      .array(
        fc.oneof(
          fc.constantFrom('\r', '\n', '-', '--', '\r\n', '\r\n--xB', 'xB-', '\r\n--x', 'a'),
          fc.string(),
        ),
      )
      .map((words) => Buffer.from(words.join('')))
      .filter((bytes) => !Buffer.concat([Buffer.from('\r\n'), bytes]).includes(`\r\n--${boundary}`));
    const property = fc.asyncProperty(
      fc.array(content, { maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      async (contents, sizes) => {
        const body = Buffer.concat([
          ...contents.flatMap((bytes, at) => [
            Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${at}"\r\n\r\n`),
            bytes,
            Buffer.from('\r\n'),
          ]),
          Buffer.from(`--${boundary}--\r\n`),
        ]);
        const parts = await read(body, boundary, sizes);
        expect(parts.map(({ name }) => name)).to.deep.equal(contents.map((_, at) => String(at)));
        for (const [at, bytes] of contents.entries()) expect(parts[at]?.bytes.equals(bytes)).to.equal(true);
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });

  it('may have something before and behind its parts, padding, and parts without headers or content', async () => {
    const body = `hello\r\n--B \t\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--B\r\n\r\nb\r\n--B--\r\nbye`;
    const parts = await read(body, 'B', [3]);
    expect(parts.map(({ name, bytes }) => [name, bytes.toString()])).to.deep.equal([
      ['a', ''],
      [null, 'b'],
    ]);
  });

  it('is refused when it is none, or ends early', async () => {
    const early = 'it ends before its last boundary';
    expect(await refusal('', 'B')).to.equal(early);
    expect(await refusal('{"a": 1}', 'B')).to.equal(early);
    expect(await refusal('--B\r\n', 'B')).to.equal(early);
    expect(await refusal(field('a', 'x').slice(0, -9), 'B')).to.equal(early);
    expect(await refusal(`${field('a', 'x')}--B`, 'B')).to.equal(early);
    expect(await refusal(`${field('a', 'x')}--B-`, 'B')).to.equal(early);
    expect(await refusal(`${field('a', 'x')}--BB--\r\n`, 'B')).to.contain('something else');
    expect(await refusal(`${part('no colon here', 'x')}--B--`, 'B')).to.contain('no valid headers');
    expect(await refusal('--B--\r\n', 'B')).to.equal('none');
  });

  it('keeps no headers beyond 16 KiB', async () => {
    const long = `${part(`X-Long: ${'a'.repeat(20_000)}`, 'x')}--B--\r\n`;
    expect(await refusal(long, 'B')).to.contain('too long');
    expect(await refusal(`--B\r\nX: ${'a'.repeat(50_000)}`, 'B')).to.contain('too long');
    expect(await refusal(`--B${' '.repeat(50_000)}\r\n\r\nx\r\n--B--`, 'B')).to.contain('padding');
  });

  it('has a boundary of 1 to 70 characters', () => {
    expect(boundaryOf('multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW')).to.equal(
      '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    );
    expect(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b:c"; x=y')).to.equal('a b:c');
    for (const bad of [
      '',
      '; boundary=',
      '; boundary=""',
      `; boundary=${'a'.repeat(71)}`,
      '; boundary="a "',
      '; boundary=a\0b',
    ])
      expect(boundaryOf(`multipart/form-data${bad}`), bad).to.equal(null);
  });
});

describe('the headers of a part', () => {
  const named = (disposition: string) => {
    const read = readPartHeaders(`Content-Disposition: form-data; ${disposition}`);
    return [read?.name, read?.filename];
  };

  it('say name and file name as browsers and programs write them', () => {
    expect(named('name="file"; filename="a b.png"')).to.deep.equal(['file', 'a b.png']);
    expect(named('name=file; filename=a.png')).to.deep.equal(['file', 'a.png']);
    expect(named('filename="a;b=c.png"; name="file"')).to.deep.equal(['file', 'a;b=c.png']);
    expect(named('name="file"; filename="say %22hi%22.png"')).to.deep.equal(['file', 'say "hi".png']);
    expect(named('name="file"; filename="say \\"hi\\" \\\\.png"')).to.deep.equal(['file', 'say "hi" \\.png']);
    expect(named('name="file"; filename="C:\\new\\a.png"')).to.deep.equal(['file', 'C:\\new\\a.png']);
    expect(named('name="file"; filename="Отчёт.pdf"')).to.deep.equal(['file', 'Отчёт.pdf']);
    expect(named('name="file"; filename*=UTF-8\'\'%D0%B0.pdf')).to.deep.equal(['file', 'а.pdf']);
    expect(named('name="file"; filename*=UTF-8\'\'%zz')).to.deep.equal(['file', null]);
    expect(named('name="file"; filename=""')).to.deep.equal(['file', '']);
    expect(named('name="title"')).to.deep.equal(['title', null]);
    expect(named('filename')).to.deep.equal([null, null]);
    expect(named('name="never closed')).to.deep.equal(['never closed', null]);
  });

  it('are read in any case, and say whether the content is encoded', () => {
    const headers = readPartHeaders(
      'CONTENT-DISPOSITION: form-data; NAME="a"\r\nContent-Transfer-Encoding: BASE64',
    );
    expect(headers).to.deep.equal({ name: 'a', filename: null, encoded: true });
    expect(readPartHeaders('Content-Transfer-Encoding: 7bit')?.encoded).to.equal(false);
    expect(readPartHeaders(': empty')).to.equal(null);
  });

  it('cost time by their length alone', () => {
    for (const piece of ['filename="', '\\"', ';', '="', 'name=a;', '%22', "filename*=UTF-8'"]) {
      const text = `Content-Disposition: form-data; ${piece.repeat(16_000 / piece.length)}`;
      const started = performance.now();
      for (let turn = 0; turn < 10; turn += 1) readPartHeaders(text);
      expect(performance.now() - started, piece).to.be.below(300);
    }
  });
});
