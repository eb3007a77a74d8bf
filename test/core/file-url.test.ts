import { expect } from 'chai';
import fc from 'fast-check';
import { FileUrl } from '../../core/copy/file-url.ts';
import { numberedName, publicName } from '../../core/files/public-name.ts';
import { cpuMs } from '../kit/cpu-time.ts';

const hex = '0123456789abcdef0123456789abcdef';
const old = `media/${hex}/photo.jpg`;
const now = `media/${hex}/new-2.png`;

const main = new FileUrl({ domain: 'a.example', sitePath: '/', path: old });
const lab = new FileUrl({ domain: 'a.example', sitePath: '/lab/', path: old });

/** Texts with `@` where the file's path stands below `files/`, with slashes of their own. */
const moved = (url: FileUrl, text: string, slash = '/'): readonly [string, string] => [
  url.rewrite(text.replaceAll('@', old.replaceAll('/', slash)), now).text,
  text.replaceAll('@', now.replaceAll('/', slash)),
];

const stays = (url: FileUrl, text: string, slash = '/'): void => {
  const given = text.replaceAll('@', old.replaceAll('/', slash));
  expect(url.rewrite(given, now), text).to.deep.equal({ text: given, replaced: 0 });
  expect(url.isIn(given), text).to.equal(false);
};

describe('the address of a file in texts', () => {
  it('is changed in every spelling, which stays what it was', () => {
    for (const text of [
      'https://a.example/files/@',
      'http://a.example/files/@',
      'http://a.example:8080/files/@',
      'HTTPS://A.Example/files/@',
      '<img src="//a.example/files/@">',
      '<img src=/files/@>',
      "url('/files/@')",
      'url(/files/@)',
      '/files/@',
      'srcset="/files/@ 1x, https://a.example/files/@ 2x"',
      '[a](https://a.example/files/@)',
      '<a href="https://a.example/files/@">https://a.example/files/@</a>',
      '&lt;img src=&quot;https://a.example/files/@&quot;&gt;',
      String.raw`{"html":"<img src=\"/files/@\">\n/files/@"}`,
    ]) {
      const [found, wanted] = moved(main, text);
      expect(found).to.equal(wanted);
    }
    for (const [text, slash] of [
      [String.raw`{"u":"https:\/\/a.example\/files\/@"}`, '\\/'],
      [String.raw`{"u":"\/files\/@"}`, '\\/'],
      [String.raw`"{\"u\":\"https:\\\/\\\/a.example\\\/files\\\/@\"}"`, '\\\\\\/'],
      ['?u=https%3A%2F%2Fa.example%2Ffiles%2F@&x=1', '%2F'],
      ['?u=https%3a%2f%2fa.example%2ffiles%2f@%3fw%3d1', '%2f'],
      ['?u=http%3A%2F%2Fa.example%3A8080%2Ffiles%2F@%23top', '%2F'],
      ['?u=https%253A%252F%252Fa.example%252Ffiles%252F@%2526x', '%252F'],
      ['?u=%2Ffiles%2F@%26x', '%2F'],
      ['https:&#x2F;&#x2F;a.example&#x2F;files&#x2F;@', '&#x2F;'],
      ['https&#58;&#47;&#47;a.example&#47;files&#47;@&quot;', '&#47;'],
      ['https&colon;&sol;&sol;a.example&sol;files&sol;@', '&sol;'],
      ['src=&quot;&#47;files&#47;@&quot;', '&#47;'],
    ] as const) {
      const [found, wanted] = moved(main, text, slash);
      expect(found).to.equal(wanted);
    }
  });

  it('ends where its name ends', () => {
    for (const text of [
      '/files/@?x=1',
      '/files/@#a',
      '/files/@,',
      '/files/@)',
      '/files/@/x',
      '/files/@ü',
      '/files/@&amp;x',
    ]) {
      const [found, wanted] = moved(main, text);
      expect(found).to.equal(wanted);
    }
    for (const text of [
      '/files/@.webp',
      '/files/@2',
      '/files/@_x',
      '/files/@-1',
      '/files/@%20copy',
      '/files/@x',
    ]) {
      stays(main, text);
    }
    stays(main, '%2Ffiles%2F@%2Ewebp', '%2F');
    stays(main, '%2Ffiles%2F@%25', '%2F');
  });

  it('is only that of this site', () => {
    for (const text of [
      'https://b.example/files/@',
      'https://x.a.example/files/@',
      'https://a.example.org/files/@',
      'https://a.example/lab/files/@',
      'https://user@a.example/files/@',
      'ftp://a.example/files/@',
      'https://b.example/?u=//a.example.org/files/@',
      '/lab/files/@',
      '/myfiles/@',
      'x/files/@',
      './files/@',
      '@',
      'https://a.example/files/x@',
      'https://a.example/files/@'.replace('@', old.replace('0123', '0124')),
      'https://a.example/files/@'.replace('@', old.replace('photo', 'Photo')),
    ]) {
      stays(main, text);
    }
    for (const text of ['https://a.example/lab/files/@', '/lab/files/@', '"/lab/files/@"']) {
      const [found, wanted] = moved(lab, text);
      expect(found).to.equal(wanted);
    }
    for (const text of [
      'https://a.example/files/@',
      '/files/@',
      '/x/lab/files/@',
      'https://a.example/lab2/files/@',
    ]) {
      stays(lab, text);
    }
  });

  it('is found whatever stands around it, counted, and never changed twice', () => {
    const forms = ['https://a.example/files/', '//a.example/files/', '"/files/', 'x/files/', '/lab/files/'];
    const piece = fc.oneof(
      fc.constantFrom(...forms, ...forms.map((form) => `${form}${old}`), old, hex, '\\', '%2F', '&#47;', ' '),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const once = main.rewrite(text, now);
        expect(once.replaced > 0).to.equal(main.isIn(text));
        expect(main.isIn(once.text)).to.equal(false);
        expect(once.text.length - text.length).to.equal(once.replaced * (now.length - old.length));
        const back = new FileUrl({ domain: 'a.example', sitePath: '/', path: now }).rewrite(once.text, old);
        if (!new FileUrl({ domain: 'a.example', sitePath: '/', path: now }).isIn(text)) {
          expect(back.text).to.equal(text);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes time in proportion to the text, whatever is in it', () => {
    const pieces = [
      hex,
      `/${hex}/photo.jpg`,
      `/files/${old}`,
      '\\',
      '%25',
      `\\${hex}`,
      `https://a.example/files/${old}x`,
      'a',
      '25',
    ];
    for (const piece of pieces) {
      const text = `${piece.repeat(Math.ceil((5 * 1024 * 1024) / piece.length))}/files/${old}`;
      expect(
        cpuMs(() => main.rewrite(text, now)),
        piece,
      ).to.be.below(2_500);
    }
  }).timeout(60_000);
});

describe('a name for an address', () => {
  it('is made of any label', () => {
    for (const [label, extension, name] of [
      ['new.png', 'png', 'new.png'],
      ['Photo_v1.2.JPG', 'jpg', 'photo_v1.2.jpg'],
      ['Мой файл.pdf', 'pdf', 'moy-fayl.pdf'],
      ['a -- b.png', 'png', 'a-b.png'],
      ['x.php.png', 'png', 'x.php.png'],
      ['a..b.png', 'png', 'a.b.png'],
      ['...png', 'png', 'file.png'],
      ['_-.png', 'png', 'file.png'],
      ['file', 'png', 'file.png'],
      ['it’s.png', 'png', 'its.png'],
      ['漢字.png', 'png', 'han-zi.png'],
    ] as const) {
      expect(publicName(label, extension), label).to.equal(name);
    }
  });

  it('has at most 150 characters, its number included', () => {
    const name = publicName(`${'a'.repeat(300)}.jpeg`, 'jpeg');
    expect(name).to.equal(`${'a'.repeat(145)}.jpeg`);
    expect(numberedName(name, 12)).to.equal(`${'a'.repeat(142)}-12.jpeg`);
    expect(numberedName('new.png', 1)).to.equal('new.png');
    expect(numberedName('new.png', 2)).to.equal('new-2.png');
  });

  it('is made in time of any label', () => {
    for (const piece of ['-', '.', '漢', 'a', '. ']) {
      expect(cpuMs(() => publicName(piece.repeat(1_000_000), 'png'))).to.be.below(200);
    }
  });
});
