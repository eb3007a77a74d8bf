import { expect } from 'chai';
import fc from 'fast-check';
import {
  cleanFileName,
  cleanFileNameWith,
  contentDisposition,
  extensionOf,
} from '../../core/files/file-name.ts';
import { peekHead } from '../../core/files/head.ts';

describe('the label of a file', () => {
  const table: readonly (readonly [string, string])[] = [
    ['photo.png', 'photo.png'],
    ['../../x.png', 'x.png'],
    ['C:\\Users\\me\\Мой файл.PDF', 'Мой файл.PDF'],
    ['a\0b\r\n\x7f\u0085.txt', 'ab.txt'],
    ['cod\u202egnp.exe', 'codgnp.exe'],
    ['\ufeffname\u200b.txt', 'name.txt'],
    ['cafe\u0301.txt', 'café.txt'],
    ['\ud800lone.txt', 'lone.txt'],
    ['  spaced .txt ', 'spaced.txt'],
    ['👩‍🏫.png', '👩‍🏫.png'],
    ['.htaccess', 'htaccess'],
    ['name.', 'name'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['', 'file'],
    ['...', 'file'],
    ['a/', 'file'],
    ['\u202e\0', 'file'],
  ];
  for (const [name, clean] of table) {
    it(`of ${JSON.stringify(name)} is ${JSON.stringify(clean)}`, () =>
      expect(cleanFileName(name)).to.equal(clean));
  }

  it('has at most 200 characters and keeps the extension', () => {
    expect(cleanFileName(`${'a'.repeat(300)}.png`)).to.equal(`${'a'.repeat(196)}.png`);
    const emoji = cleanFileName(`${'😀'.repeat(300)}.png`);
    expect(Array.from(emoji)).to.have.length(200);
    expect(emoji.isWellFormed()).to.equal(true);
  });

  it('is clean whatever comes, and cleaning it again changes nothing', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (name) => {
      const clean = cleanFileName(name);
      expect(clean).to.match(/^[^/\\\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]{1,400}$/u);
      expect(Array.from(clean).length).to.be.at.most(200);
      expect(cleanFileName(clean)).to.equal(clean);
    });
    fc.assert(property, { numRuns: 3000 });
  });

  it('takes no time for long names', () => {
    for (const part of ['a', '.', ' ', '/', '\u0316\u0301', '\0', '😀']) {
      const start = performance.now();
      cleanFileName(part.repeat(100_000 / part.length));
      expect(performance.now() - start, JSON.stringify(part)).to.be.below(200);
    }
  });

  it('gets an extension where it has none', () => {
    expect(cleanFileNameWith('...', 'png')).to.equal('file.png');
    expect(cleanFileNameWith('photo', 'png')).to.equal('photo.png');
    expect(cleanFileNameWith('photo.jpeg', 'jpg')).to.equal('photo.jpeg');
    expect(cleanFileNameWith('a'.repeat(300), 'png')).to.equal(`${'a'.repeat(196)}.png`);
  });

  it('has the extension that is meant', () => {
    const table = { 'a.PNG': 'png', 'a.tar.gz': 'gz', a: '', '.png': '', 'a.': '', 'a.p g': '', 'a.пнг': '' };
    for (const [name, extension] of Object.entries(table))
      expect(extensionOf(name), name).to.equal(extension);
  });
});

describe('Content-Disposition', () => {
  it('has a plain and an encoded name', () => {
    expect(contentDisposition('inline', 'a b.png')).to.equal(
      `inline; filename="a b.png"; filename*=UTF-8''a%20b.png`,
    );
    expect(contentDisposition('attachment', 'Отчёт "1".pdf')).to.equal(
      `attachment; filename="_____ _1_.pdf"; filename*=UTF-8''%D0%9E%D1%82%D1%87%D1%91%D1%82%20%221%22.pdf`,
    );
    expect(contentDisposition('attachment', "100%'(1)*!.txt")).to.equal(
      `attachment; filename="100_'(1)*!.txt"; filename*=UTF-8''100%25%27%281%29%2A%21.txt`,
    );
  });

  it('is one header of plain ASCII for any name', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), (name) => {
      const header = contentDisposition('attachment', name);
      expect(header).to.match(/^attachment; filename="[ !#-[\]-~]*"; filename\*=UTF-8''[A-Za-z0-9%._~-]*$/);
    });
    fc.assert(property, { numRuns: 2000 });
  });
});

describe('the head of a stream', () => {
  it('is given back together with the whole', async () => {
    for (const [sizes, wanted] of [
      [[3, 4, 5], 5],
      [[3], 10],
      [[], 4],
      [[10], 10],
    ] as const) {
      const all = Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index + 1)));
      const { head, whole } = await peekHead(pieces(sizes), wanted);
      expect(head).to.deep.equal(all.subarray(0, wanted));
      const read: Uint8Array[] = [];
      for await (const chunk of whole) read.push(chunk);
      expect(Buffer.concat(read)).to.deep.equal(all);
    }
  });

  it('ends the source when the reader stops early', async () => {
    let ended = false;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.alloc(10);
      } finally {
        ended = true;
      }
    };
    const { whole } = await peekHead(endless(), 15);
    for await (const chunk of whole) if (chunk.byteLength > 0) break;
    expect(ended).to.equal(true);
  });
});

async function* pieces(sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const [index, size] of sizes.entries()) yield Buffer.alloc(size, index + 1);
}
