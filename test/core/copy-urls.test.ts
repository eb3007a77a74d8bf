import { expect } from 'chai';
import fc from 'fast-check';
import { type Owns, type SiteMove, UrlRewriter } from '../../core/copy/rewrite-urls.ts';
import { cpuMs } from '../kit/cpu-time.ts';

const lab: SiteMove = {
  domains: ['a.example'],
  path: '/lab/',
  to: { domain: 'a.example', path: '/lab-b/', origin: null },
  pages: true,
  pathsAlone: true,
  file: (path) => path,
};

/** The sites that exist beside the one that moves. */
const among =
  (move: SiteMove, ...others: readonly string[]): Owns =>
  (_domain, paths) =>
    paths.findLast((path) => path === move.path || others.includes(path)) === move.path;

const rewritten = (move: SiteMove, text: string, ...others: readonly string[]): string =>
  new UrlRewriter(move).rewrite(text, among(move, '/', ...others)).text;

const main: SiteMove = { ...lab, path: '/', to: { domain: 'a.example', path: '/new/', origin: null } };
const domains: SiteMove = {
  ...lab,
  domains: ['lab.a.example'],
  path: '/',
  to: { domain: 'lab-b.a.example', path: '/', origin: null },
};

/** As it stands, and as it is to stand. */
type Case = readonly [string, string];

const same = (text: string): Case => [text, text];

describe('rewriting URLs', () => {
  const inDirectory: readonly Case[] = [
    ['https://a.example/lab/p', 'https://a.example/lab-b/p'],
    ['http://a.example/lab', 'http://a.example/lab-b'],
    ['HTTPS://A.Example/lab/P?q=/lab/#lab', 'HTTPS://A.Example/lab-b/P?q=/lab/#lab'],
    ['//a.example/lab/p', '//a.example/lab-b/p'],
    ['src="//a.example:8443/lab/p"', 'src="//a.example:8443/lab-b/p"'],
    [String.raw`{"u":"https:\/\/a.example\/lab\/p"}`, String.raw`{"u":"https:\/\/a.example\/lab-b\/p"}`],
    [String.raw`https:\\\/\\\/a.example\\\/lab\\\/p`, String.raw`https:\\\/\\\/a.example\\\/lab-b\\\/p`],
    ['?u=https%3A%2F%2Fa.example%2Flab%2Fp&x', '?u=https%3A%2F%2Fa.example%2Flab-b%2Fp&x'],
    ['?u=https%3a%2f%2fa.example%2flab%3Fx', '?u=https%3a%2f%2fa.example%2flab-b%3Fx'],
    ['?u=https%253A%252F%252Fa.example%252Flab', '?u=https%253A%252F%252Fa.example%252Flab-b'],
    ['go?u%3Dhttps%3A%2F%2Fa.example%2Flab%2F', 'go?u%3Dhttps%3A%2F%2Fa.example%2Flab-b%2F'],
    ['https:&#x2F;&#x2F;a.example&#x2F;lab&#x2F;p', 'https:&#x2F;&#x2F;a.example&#x2F;lab-b&#x2F;p'],
    ['http&#58;&sol;&sol;a.example&sol;lab&sol;', 'http&#58;&sol;&sol;a.example&sol;lab-b&sol;'],
    ['see a.example/lab/p.', 'see a.example/lab-b/p.'],
    ['See https://a.example/lab. Then', 'See https://a.example/lab-b. Then'],
    ["['https://a.example/lab','x']", "['https://a.example/lab-b','x']"],
    ['url(https://a.example/lab);color', 'url(https://a.example/lab-b);color'],
    ['<a href="/lab/p">', '<a href="/lab-b/p">'],
    ['/lab/p', '/lab-b/p'],
    [String.raw`"\/lab\/p"`, String.raw`"\/lab-b\/p"`],
    ['https://a.example/lab/files/media/ab/c.png', 'https://a.example/lab-b/files/media/ab/c.png'],
    ['See https://a.example/lab... Then', 'See https://a.example/lab-b... Then'],
    [String.raw`{"t":"a\nhttps://a.example/lab/p"}`, String.raw`{"t":"a\nhttps://a.example/lab-b/p"}`],
    [
      String.raw`"\u003ca href=\u0022https://a.example/lab/p\u0022\u003e"`,
      String.raw`"\u003ca href=\u0022https://a.example/lab-b/p\u0022\u003e"`,
    ],
    [String.raw`href=\u0022//a.example/lab\u0022`, String.raw`href=\u0022//a.example/lab-b\u0022`],
    [String.raw`href=\u0022/lab/p\u0022`, String.raw`href=\u0022/lab-b/p\u0022`],
    ['%0D%0Ahttps%3A%2F%2Fa.example%2Flab%2Fp', '%0D%0Ahttps%3A%2F%2Fa.example%2Flab-b%2Fp'],
    ['https://a.example/lab/https://a.example/lab/', 'https://a.example/lab-b/https://a.example/lab-b/'],
  ];
  const untouched: readonly string[] = [
    'https://a.example/lab2/p',
    'https://a.example/labor/',
    'https://a.example/lab.html',
    'https://a.example/lab_x/',
    'https://a.example/lab./',
    'https://a.example/lab../p',
    'https://a.example/lab.//a.example/lab/',
    String.raw`https:\/\/a.example\/lab.\/\/a.example\/lab\/`,
    String.raw`https:\/\/a.example\/lab\u00e9\/`,
    String.raw`\u0078https://a.example/lab/p`,
    'https://a.example/Lab/p',
    'https://a.example/',
    'https://a.example',
    'https://a.example/x/lab/p',
    'https://b.a.example/lab/p',
    'https://xa.example/lab/p',
    'https://a.example.org/lab/p',
    'https://a.example@evil.example/lab/',
    'https://a.example:pass@evil.example/lab/',
    'https://a.example%2Elab/',
    'ftp://a.example/lab/p',
    'xhttps://a.example/lab/p',
    'https://x.example//a.example/lab/',
    'mail me@a.example/lab/',
    'https://other.example/?to=/lab/p',
    'the folder /lab/p',
    '"/laboratory"',
    '"/lab2/p"',
    'https%3A%2F%2Fa.example%2Flab2%2Fp',
    'https%3A%2F%2Fa.example%2Flab%2Ex',
    String.raw`https:\/\/a.example\/lab2\/p`,
    'https://a.example/lab/inner/p',
    'https://a.exämple/lab/',
    'https://a.example/labä/',
  ];
  const ofMain: readonly Case[] = [
    ['https://a.example/p', 'https://a.example/new/p'],
    ['https://a.example', 'https://a.example/new'],
    ['https://a.example/', 'https://a.example/new/'],
    ['https://a.example?x', 'https://a.example/new?x'],
    ['https:\\/\\/a.example\\/p', 'https:\\/\\/a.example\\/new\\/p'],
    ['u=https%3A%2F%2Fa.example', 'u=https%3A%2F%2Fa.example%2Fnew'],
    same('https://a.example='),
    same('https://a.example%20'),
    [String.raw`"https://a.example.\n"`, String.raw`"https://a.example/new.\n"`],
    same('https://a.example/other/p'),
    same('https://a.example/other'),
    ['https://a.example/other2', 'https://a.example/new/other2'],
    same('write to a.example today'),
    same('"/p"'),
  ];
  const ofDomains: readonly Case[] = [
    ['https://lab.a.example/p', 'https://lab-b.a.example/p'],
    ['https://LAB.a.example:81', 'https://lab-b.a.example:81'],
    ['http%3A%2F%2Flab.a.example%2F', 'http%3A%2F%2Flab-b.a.example%2F'],
    same('https://lab.a.example.org/'),
    same('https://xlab.a.example/'),
  ];

  const check = (move: SiteMove, cases: readonly Case[], ...others: readonly string[]): void => {
    for (const [text, wanted] of cases) expect(rewritten(move, text, ...others), text).to.equal(wanted);
  };

  it('takes every form of the site and nothing else', () => {
    check(lab, [...inDirectory, ...untouched.map(same)], '/lab/inner/');
  });

  it('leaves to other sites what lies below the main site', () => check(main, ofMain, '/other/'));

  it('replaces the domain where sites are sub-domains', () => check(domains, ofDomains));

  it('puts scheme and port of the new address in place of the old ones where asked', () => {
    const old: SiteMove = {
      ...lab,
      domains: ['old.example'],
      path: '/blog/',
      to: { domain: 'new.example', path: '/', origin: { scheme: 'https', port: '8443' } },
    };
    check(old, [
      ['http://old.example/blog/p', 'https://new.example:8443/p'],
      ['http://old.example:80/blog', 'https://new.example:8443'],
      ['//old.example/blog/p', '//new.example:8443/p'],
      ['u=http%3A%2F%2Fold.example%2Fblog%2Fp', 'u=https%3A%2F%2Fnew.example%3A8443%2Fp'],
      ['"/blog"', '"/"'],
      ['"/blog/p"', '"/p"'],
      same('http://old.example/blogger'),
    ]);
  });

  it('gives files their new paths, and leaves the files and pages that stay', () => {
    const files: SiteMove = {
      ...lab,
      pages: false,
      file: (path) => (path === 'media/1/a.png' ? 'media/2/b.png' : null),
    };
    check(files, [
      ['https://a.example/lab/files/media/1/a.png?x', 'https://a.example/lab-b/files/media/2/b.png?x'],
      [
        'https:\\/\\/a.example\\/lab\\/files\\/media\\/1\\/a.png',
        'https:\\/\\/a.example\\/lab-b\\/files\\/media\\/2\\/b.png',
      ],
      ['See //a.example/lab/files/media/1/a.png.', 'See //a.example/lab-b/files/media/2/b.png.'],
      same('https://a.example/lab/files/media/1/a.png2'),
      same('https://a.example/lab/files/media/9/a.png'),
      same('https://a.example/lab/p'),
    ]);
  });

  it('counts what it replaces, and returns the very text when that is nothing', () => {
    const rewriter = new UrlRewriter(lab);
    const text = 'https://a.example/lab/ and //a.example/lab/ and https://a.example/lab2/';
    expect(rewriter.rewrite(text, among(lab)).replaced).to.equal(2);
    expect(rewriter.rewrite('nothing', among(lab))).to.deep.equal({ text: 'nothing', replaced: 0 });
  });

  it('leaves JSON valid, changes nothing twice, and is undone by the move back', () => {
    const url = fc
      .tuple(
        fc.constantFrom('https://', 'http://', '//', ''),
        fc.constantFrom('a.example', 'A.EXAMPLE', 'b.example', 'a.example:81'),
        fc.constantFrom('/lab/', '/lab', '/lab2/', '/lab/p/q', '/', '', '/lab/files/media/1/a.png'),
      )
      .map((parts) => parts.join(''));
    const marks = [...' "\n\t/\\.:;?#&=@%-(é', "'", '<p>', '%2F', '%20', '..', 'lab', 'n', 'files/'];
    const word = fc.oneof(url, fc.string(), fc.constantFrom(...marks));
    const texts = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));
    for (const move of [lab, main, { ...lab, path: '/net/lab/' }]) {
      const { path } = move.to;
      const owned = among(move, '/', '/lab2/', path);
      const there = new UrlRewriter(move);
      const back = new UrlRewriter({ ...move, path, to: { ...move.to, path: move.path } });
      const returned: Owns = (_domain, paths) => paths.includes(path);
      fc.assert(
        fc.property(texts, (text) => {
          const moved = there.rewrite(text, owned);
          expect(there.rewrite(moved.text, owned).replaced).to.equal(0);
          if (!text.includes(path.slice(0, -1))) {
            expect(back.rewrite(moved.text, returned).text).to.equal(text);
          }
          const json = JSON.stringify({ text });
          for (const written of [json, json.replaceAll('/', '\\/')]) {
            const changed = there.rewrite(written, owned).text;
            expect((JSON.parse(changed) as { text: string }).text).to.equal(moved.text);
          }
        }),
        { numRuns: 500 },
      );
    }
  });

  it('takes time in proportion to the text, whatever is in it', () => {
    const many = (piece: string, bytes: number): string => piece.repeat(Math.ceil(bytes / piece.length));
    const pieces = [
      '<a href="https://a.example/lab/page-1">',
      '<a href="https://a.example/lab2/page-1">',
      'a.example/',
      '\\',
      '\\a.example',
      '%25',
      '25',
      '/',
      '"/lab',
      'https%3A%2F%2Fa.example%2Flab',
      'a.example/lab/files/',
      'a.exampl',
      'a.example.',
      'a.example/lab.',
      '\\u0022/lab',
      'a.example\\u',
    ];
    for (const piece of pieces) {
      const text = `${many(piece, 5 * 1024 * 1024)}a.example/lab/`;
      expect(
        cpuMs(() => new UrlRewriter(lab).rewrite(text, among(lab))),
        piece,
      ).to.be.below(2_500);
    }
  }).timeout(60_000);
});
