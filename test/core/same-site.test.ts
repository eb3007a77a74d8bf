import { expect } from 'chai';
import fc from 'fast-check';
import { pathOfUrl, sameSiteUrl } from '../../core/http/same-site.ts';

const lab = 'https://a.example:8443/lab/';
const root = 'https://a.example:8443/';

describe('places that a sign-in may lead to', () => {
  it('are below the site, written in whatever way', () => {
    for (const [text, url] of [
      ['', null],
      ['courses/?a=1#b', 'https://a.example:8443/lab/courses/?a=1#b'],
      ['/lab/', lab],
      ['?a=1', `${lab}?a=1`],
      ['//a.example:8443/lab/x', `${lab}x`],
      ['HTTPS://A.example:8443/lab/x', `${lab}x`],
      ['/lab/a/..', lab],
      ['/lab/a/b%5Cc', `${lab}a/b%5Cc`],
    ] as const) {
      expect(sameSiteUrl(lab, text), text).to.equal(url);
    }
  });

  it('are nowhere else', () => {
    for (const text of [
      '/',
      '/lab',
      '/laboratory/',
      '/lab/../other/',
      '/lab/%2e%2e/other/',
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/lab/%5cevil.example',
      '/lab/%5Cevil',
      '/lab//evil.example',
      'https://evil.example/lab/',
      'http://a.example:8443/lab/',
      'https://a.example/lab/',
      'https://a.example:8443@evil.example/lab/',
      'https://user@a.example:8443/lab/',
      'https://:pass@a.example:8443/lab/',
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      '/lab/\u0000',
      '/lab/\tx',
      'data:text/html,x',
      'blob:https://a.example:8443/lab/',
      'https://',
      `/lab/${'x'.repeat(2_000)}`,
      5,
      null,
      undefined,
      ['/lab/'],
    ]) {
      expect(sameSiteUrl(lab, text), String(text)).to.equal(null);
    }
  });

  it('have no path that is an address elsewhere when it stands alone', () => {
    for (const text of [
      '/.//evil.example',
      './/evil.example/x',
      '/%2e//evil.example',
      '/a/..//evil.example',
      'https://a.example:8443//evil.example',
    ]) {
      expect(sameSiteUrl(root, text), text).to.equal(null);
    }
    expect(sameSiteUrl(root, '/a//b')).to.equal(`${root}a//b`);
  });

  it('stay on the site for every text, and do so again when they are read once more', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '..',
      '%5c',
      '%2e',
      'lab',
      ':',
      '@',
      '#',
      '?',
      'evil.example',
      'https:',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 8 }).map((all) => all.join('')),
        ),
        fc.constantFrom(lab, root),
        (text, site) => {
          const url = sameSiteUrl(site, text);
          if (url === null) return;
          expect(url.startsWith(site)).to.equal(true);
          expect(sameSiteUrl(site, url)).to.equal(url);
          expect(new URL(pathOfUrl(url), site).href.startsWith(site)).to.equal(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
