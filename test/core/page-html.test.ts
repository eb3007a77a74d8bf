import { expect } from 'chai';
import { withoutBlockComments } from '../../core/content/rendering/block-comments.ts';
import { rewriteCssUrls } from '../../core/content/rendering/css-urls.ts';
import { UnreasonableHtml } from '../../core/content/rendering/html-tree.ts';
import { inertHtml } from '../../core/content/rendering/inert-html.ts';
import { rewriteUrls, urlsOf } from '../../core/content/rendering/page-urls.ts';
import { rewriteSrcset } from '../../core/content/rendering/srcset.ts';
import { turboPage } from '../../core/content/rendering/turbo-page.ts';

describe('HTML of pages', () => {
  it('loses the comments of blocks and no others', () => {
    const html =
      '<!-- wp:paragraph {"a":"-->"} -->\n<p>One</p>\n<!-- /wp:paragraph -->\n<!-- wp:x/y /--><!-- two wp:z -->';
    expect(withoutBlockComments(html)).to.equal('"} -->\n<p>One</p>\n\n<!-- two wp:z -->');
  });

  it('of a turbo document is the inside of its body, with styles and scripts of its head', () => {
    for (const [html, page] of [
      [
        '<!doctype html><html><head><title>x</title><meta name=a><style>b{}</style></head><body a><p>c</body></html>',
        '<style>b{}</style><p>c',
      ],
      ['<p>a</p><script>b</script>', '<p>a</p><script>b</script>'],
      [
        '<head><link href=a><script src=b></script><title>[c]</title><p>d',
        '<link href=a><script src=b></script><p>d',
      ],
      ['before<body>x<template>y</template>', 'x<template>y</template>'],
      ['', ''],
    ] as const) {
      expect(turboPage(html)).to.equal(page);
    }
  });

  it('addresses are found and changed wherever they stand', () => {
    const html =
      `<p style="background: url('a')"><a href=" b ">B</a><img src="c" srcset="d 1x, e 2x" alt="src=x">` +
      '<video poster="f"><source src="g"></video><style>@import "h"; i { src: url(j) }</style>' +
      '<template><img src="k"></template><svg><use xlink:href="l"/></svg><p title="m">';
    const found = urlsOf(html);
    expect(found.map(({ url }) => url).join('')).to.equal('abcdefghjkl');
    expect(found[0]).to.deep.equal({ url: 'a', element: 'p', attribute: 'style' });
    expect(found.at(-1)).to.deep.equal({ url: 'l', element: 'use', attribute: 'xlink:href' });
    expect(rewriteUrls(html, ({ url }) => (url === 'c' ? null : `/${url}"`))).to.equal(
      `<p style="background: url(&quot;/a\\&quot;&quot;)"><a href="/b&quot;">B</a>` +
        '<img src="c" srcset="/d&quot; 1x, /e&quot; 2x" alt="src=x">' +
        '<video poster="/f&quot;"><source src="/g&quot;"></video>' +
        '<style>@import "/h\\""; i { src: url(/j\\") }</style>' +
        '<template><img src="/k&quot;"></template><svg><use xlink:href="/l&quot;"></use></svg></p><p title="m"></p>',
    );
  });

  it('CSS keeps all but its addresses', () => {
    const css = `@import url("a");a{b:url( c.png ) image-set("d" 1x type("x"), url(e) 2x);content:"f"}/* url(g) */ @IMPORT 'h';`;
    const seen: string[] = [];
    const same = rewriteCssUrls(css, (url) => {
      seen.push(url);
      return null;
    });
    expect([same, seen.join(' ')]).to.deep.equal([css, 'a c.png d e h']);
    expect(rewriteCssUrls('a{b:url(x)', () => '</style><script>')).to.equal(
      'a{b:url(%3C/style%3E%3Cscript%3E)',
    );
  });

  it('lists of images are split as browsers do', () => {
    const urls = (text: string): string[] => {
      const found: string[] = [];
      rewriteSrcset(text, (url) => {
        found.push(url);
        return null;
      });
      return found;
    };
    expect(urls('a, b 2x,c 1.5x , d')).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(urls('data:image/png;base64,AA== 1x, b')).to.deep.equal(['data:image/png;base64,AA==', 'b']);
    expect(urls(' , a (x, y) 1x, b')).to.deep.equal(['a', 'b']);
    expect(rewriteSrcset('a 1x,b', (url) => `/${url}`)).to.equal('/a 1x, /b');
  });

  it('nothing runs in what is made inert', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['<p onclick="x" ONLOAD=y>a</p>', '<p>a</p>'],
      ['a<script>x</script>b<svg><script>y</script></svg>', 'ab<svg></svg>'],
      ['<a href=" java\nscript:x">a</a>', '<a>a</a>'],
      ['<a href="&#106;avascript:x">a</a>', '<a>a</a>'],
      [
        '<svg><a xlink:href="javascript:x"><set to="javascript:x"/></a></svg>',
        '<svg><a><set></set></a></svg>',
      ],
      ['<form action="javascript:x"><button formaction="vbscript:x">', '<form><button></button></form>'],
      ['<meta http-equiv="refresh" content="0;url=javascript:x"><base href="//x">', ''],
      [
        '<iframe srcdoc="&lt;script&gt;x&lt;/script&gt;&lt;b onclick=x&gt;y"></iframe>',
        '<iframe srcdoc="&lt;b&gt;y&lt;/b&gt;"></iframe>',
      ],
      ['<p title="javascript:">the good parts</p>', '<p title="javascript:">the good parts</p>'],
      ['<template><img onerror=x></template>', '<template><img></template>'],
    ];
    for (const [given, made] of cases) expect(inertHtml(given), given).to.equal(made);
    const disguised = [
      '<svg><style><img src=x onerror=alert(1)></style></svg>',
      '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
      '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
      '<select><template><style><!--</style><a rel="--></style></template></select><img src onerror=alert(1)>">',
    ];
    for (const html of disguised) {
      const written = inertHtml(html);
      expect(
        rewriteUrls(written, () => null),
        html,
      ).to.equal(written);
      expect(written.replaceAll(/"[^"]*"/g, ''), html).to.not.match(/<[^>]*\sonerror/i);
    }
  });

  it('a tree is not built of what would take the square of its length', () => {
    expect(() => inertHtml('<div>'.repeat(100_000))).to.throw(UnreasonableHtml);
    expect(() => inertHtml(`<p ${'a '.repeat(100_000)}>`)).to.throw(UnreasonableHtml);
    const nested = `${'<div>'.repeat(400)}x${'</div>'.repeat(400)}`;
    expect(inertHtml(nested)).to.equal(nested);
    const began = performance.now();
    inertHtml(`<table>${'<a>x</a>'.repeat(50_000)}`);
    inertHtml('<p><i>'.repeat(500));
    inertHtml('<p>x</p>'.repeat(50_000));
    expect(performance.now() - began).to.be.lessThan(15_000);
  });
});
