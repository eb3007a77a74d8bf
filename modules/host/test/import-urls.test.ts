import { cpuMs } from '@lyceum/core/testing';
import { expect } from 'chai';
import { AttachmentPaths, sources } from '../import/attachment-paths.ts';
import { MovedUrls, siteAddress } from '../import/moved-urls.ts';

const urlsOf = (base: string): MovedUrls => {
  const address = siteAddress(base);
  if (!address) throw new Error('no address');
  return new MovedUrls(address);
};

describe('host import: addresses of the old site', () => {
  const site = 'https://new.example/lab';
  const check = (base: string, cases: readonly (readonly [string, string])[]): void => {
    const urls = urlsOf(base);
    for (const [text, wanted] of cases) {
      expect(
        urls.replace(text, (path) => site + path),
        text,
      ).to.equal(wanted);
    }
  };
  const same = (text: string) => [text, text] as const;

  it('become those of the new one, in every way that texts have them', () => {
    check('http://old.example', [
      ['http://old.example', site],
      ['https://old.example/', `${site}/`],
      ['<a href="http://old.example/a/?b=c#d">x</a>', `<a href="${site}/a/?b=c#d">x</a>`],
      ["url('http://old.example/a.png')", `url('${site}/a.png')`],
      ['HTTP://OLD.example/A', `${site}/A`],
      ['See http://old.example. Or http://old.example/x.', `See ${site}. Or ${site}/x.`],
      [
        'srcset="http://old.example/a.png 1x, http://old.example/b.png 2x"',
        `srcset="${site}/a.png 1x, ${site}/b.png 2x"`,
      ],
      [String.raw`{"url":"http:\/\/old.example\/a"}`, String.raw`{"url":"https:\/\/new.example\/lab\/a"}`],
      [String.raw`http:\\\/\\\/old.example\\\/a`, String.raw`https:\\\/\\\/new.example\\\/lab\\\/a`],
      ['src="//old.example/a.png"', 'src="//new.example/lab/a.png"'],
      [String.raw`{"url":"\/\/old.example\/a"}`, String.raw`{"url":"\/\/new.example\/lab\/a"}`],
      [
        String.raw`"a\n//old.example/a \u0022//old.example/b\u0022"`,
        String.raw`"a\n//new.example/lab/a \u0022//new.example/lab/b\u0022"`,
      ],
      ['http://old.example/привет', `${site}/привет`],
      ['[x](http://old.example/a_(b))', `[x](${site}/a_(b))`],
    ]);
    check('http://old.example:8080/blog/', [
      ['http://old.example:8080/blog/a', `${site}/a`],
      ['http://old.example:8080/blog', site],
      [String.raw`http:\/\/old.example:8080\/blog\/a`, String.raw`https:\/\/new.example\/lab\/a`],
      same('http://old.example/blog/a'),
      same('http://old.example:8080/blog2/a'),
      same('http://old.example:8080/blog.html'),
      same('http://old.example:8080/'),
    ]);
  });

  it('of other sites stay', () => {
    check('http://old.example', [
      same('http://old.example.org/'),
      same('http://old.example./a'),
      same('ftp://old.example/a'),
      same('https://other.example//old.example/a'),
      same('x//old.example/a'),
      same('http://old.example:81/'),
      same('http://old.example@evil.example/'),
      same('http://older.example/'),
      same('http://www.old.example/'),
      same('old.example/a'),
      same('ftp://old.example/a'),
      same('http://old.exämple/'),
      same('http://old.exampleé/'),
    ]);
  });

  it('are replaced in every text of a value, whose structure stays', () => {
    const urls = urlsOf('http://old.example');
    const value = {
      a: ['http://old.example/x', 1, null, { 'http://old.example/key': 'to http://old.example/y' }],
      b: true,
      object: 'O:1:"A":1:{s:1:"u";s:19:"http://old.example/";}',
    };
    expect(urls.replaceIn(value, (path) => site + path)).to.deep.equal({
      a: [`${site}/x`, 1, null, { 'http://old.example/key': `to ${site}/y` }],
      b: true,
      object: value.object,
    });
    expect(urls.path('http://old.example/a/b.png?c')).to.equal('/a/b.png?c');
    expect(urls.path('http://other.example/a')).to.equal(null);
  });

  it('are left alone one by one', () => {
    const urls = urlsOf('http://old.example');
    const text = 'http://old.example/keep.png and http://old.example/go';
    expect(urls.replace(text, (path) => (path === '/keep.png' ? null : site + path))).to.equal(
      `http://old.example/keep.png and ${site}/go`,
    );
  });

  it('take time in proportion to the text', () => {
    const urls = urlsOf('http://old.example/blog');
    const hostile = [
      'http://old.example/blog',
      'http://old.example/',
      'http:',
      'http:\\\\\\\\\\\\\\\\',
      '\\',
      'https://',
      '//',
      '//old.example',
      'http://old.example..',
      '.',
    ];
    for (const piece of hostile) {
      const text = piece.repeat(5_000_000 / piece.length);
      const time = cpuMs(() => {
        urls.replace(`http://old.example/blog/${text}`, (path) => site + path);
        urls.replace(text, (path) => site + path);
      });
      expect(time, piece).to.be.below(3_000);
    }
  });

  it('of attachments are known, with the sizes that were made of a picture', () => {
    const paths = new AttachmentPaths();
    expect(paths.has('/a.png')).to.equal(false);
    paths.add('/uploads/2020/a.png');
    expect(paths.has('/uploads/2020/a.png')).to.equal(true);
    expect(paths.has('/uploads/2020/a-300x200.png')).to.equal(true);
    expect(paths.has('/uploads/2020/b.png')).to.equal(false);
    expect(sources('/a-300x200.png')).to.deep.equal(['/a-300x200.png', '/a.png']);
    expect(sources('/a-300.png')).to.deep.equal(['/a-300.png']);
  });
});
