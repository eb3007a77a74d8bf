import { expect } from 'chai';
import { startTestHost, type TestHost } from '../kit/index.ts';

describe('pages of a site', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
  });
  after(() => lyceum.stop());

  const raw = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${lyceum.origin}${path}`, init);

  describe('root page', () => {
    it('names the API in a header, for GET and HEAD, at the stored address', async () => {
      const link = `<http://localhost:${lyceum.host.port}/api/>; rel="https://api.w.org/"`;
      for (const method of ['GET', 'HEAD']) {
        const answer = await raw('/', { method, headers: { 'X-Forwarded-Host': 'evil.example' } });
        expect([answer.status, answer.headers.get('link')]).to.deep.equal([200, link]);
        expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      }
    });

    it('leads to the API and to its description', async () => {
      const site = await lyceum.make.site('school');
      const page = await (await raw(site.path)).text();
      expect(page).to.include('href="/school/docs"').and.to.include('href="/school/api/"');
      expect((await raw('/school/docs')).status).to.equal(200);
      expect((await raw('/school')).status).to.equal(200);
    });

    it('shows title and tagline as text, whatever is in them', async () => {
      const site = await lyceum.make.site('quoted');
      const hostile = `</title><script>alert(1)</script>"'&amp;`;
      await lyceum.host.db
        .knex('sites')
        .where({ blog_id: site.blog_id })
        .update({ title: hostile, description: `<img src=x onerror=alert(2)>${hostile}` });
      const page = await (await raw(site.path)).text();
      expect(page).to.not.match(/<script|<img/i);
      expect(page.match(/<\/title>/g)).to.have.length(1);
      expect(page).to.include('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;');
    });

    it('runs nothing and loads nothing', async () => {
      const answer = await raw('/');
      const policy = answer.headers.get('content-security-policy');
      expect(policy).to.match(
        /^default-src 'none'; style-src 'sha256-[^' ]+'; img-src data:; base-uri 'none'/,
      );
      expect(await answer.text()).to.not.include('<script');
    });

    it('has a validator, and takes no other method', async () => {
      const etag = (await raw('/')).headers.get('etag') ?? '';
      expect((await raw('/', { headers: { 'If-None-Match': etag } })).status).to.equal(304);
      const refused = await raw('/', { method: 'POST' });
      expect([refused.status, refused.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    });
  });

  describe('API page', () => {
    const scriptIn = (page: string): string => /<script nonce="[^"]+" src="([^"]+)"/.exec(page)?.[1] ?? '';

    it('runs its own two scripts alone, by a nonce that is used once', async () => {
      const [first, second] = await Promise.all([raw('/docs'), raw('/docs/')]);
      const nonces: string[] = [];
      for (const answer of [first, second]) {
        expect(answer.status).to.equal(200);
        const policy = answer.headers.get('content-security-policy') ?? '';
        const nonce = /script-src 'nonce-([^']+)';/.exec(policy)?.[1] ?? '';
        nonces.push(nonce);
        expect(policy).to.include("default-src 'none'").and.to.include("connect-src 'self';");
        expect(policy).to.not.match(/https?:|\*|unsafe-eval|strict-dynamic/);
        const page = await answer.text();
        expect(page.match(/<script/g)).to.have.length(2);
        expect(page.split(`nonce="${nonce}"`)).to.have.length(3);
        expect(answer.headers.get('cache-control')).to.equal('no-store');
      }
      expect(nonces[0]).to.have.length(24).and.to.not.equal(nonces[1]);
    });

    it('lets a hostile title out of neither HTML nor script', async () => {
      const site = await lyceum.make.site('hostile');
      const title = '</script></title><script>alert(1)</script>';
      await lyceum.host.db.knex('sites').where({ blog_id: site.blog_id }).update({ title });
      const page = await (await raw(`${site.path}docs`)).text();
      expect(page.match(/<script/g)).to.have.length(2);
      expect(page).to.include('"url":"/hostile/api/openapi.json"');
    });

    it('has its script from this host, under a name that changes with the content', async () => {
      const src = scriptIn(await (await raw('/docs')).text());
      expect(src).to.match(/^\/docs\/assets\/[0-9a-f]{16}\/standalone\.js$/);
      const script = await raw(src);
      expect(script.status).to.equal(200);
      expect(script.headers.get('content-type')).to.equal('text/javascript');
      expect(script.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      const bytes = (await script.arrayBuffer()).byteLength;
      expect(bytes)
        .to.be.above(1_000_000)
        .and.equal(Number(script.headers.get('content-length')));
      const etag = script.headers.get('etag') ?? '';
      expect((await raw(src, { headers: { 'If-None-Match': etag } })).status).to.equal(304);
      const head = await raw(src, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(bytes)]);
      const part = await raw(src, { headers: { Range: 'bytes=999999999-' } });
      expect([part.status, (await part.arrayBuffer()).byteLength]).to.deep.equal([200, bytes]);
    });

    it('gives nothing of a session to caches that are shared', async () => {
      const { cookie } = await lyceum.make.session(1);
      const src = scriptIn(await (await raw('/docs')).text());
      const { headers } = await raw(src, { method: 'HEAD', headers: cookie.headers });
      expect(headers.get('x-svc-nonce')).to.equal(null);
    });

    it('has no other file', async () => {
      const hash = /assets\/([0-9a-f]{16})\//.exec(scriptIn(await (await raw('/docs')).text()))?.[1] ?? '';
      const others = [
        'docs/assets/',
        'docs/assets/0123456789abcdef/standalone.js',
        `docs/assets/${hash}/webpack-stats.json`,
        `docs/assets/${hash}/%2e%2e/%2e%2e/package.json`,
        `docs/assets/${hash}/standalone.js/`,
        'docs/x',
      ];
      for (const other of others) expect((await raw(`/${other}`)).status, other).to.equal(404);
    });
  });
});
