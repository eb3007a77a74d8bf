import { expect } from 'chai';
import { LinkKit } from './link-kit.ts';

describe('magic_links: the page of a link', () => {
  let kit: LinkKit;
  before(async () => {
    kit = await LinkKit.start();
  });
  after(() => kit.lyceum.stop());

  const address = (path = '/') => `${kit.lyceum.origin}${path}magic-link`;
  const post = (link: string, headers: Record<string, string>, path = '/') =>
    fetch(address(path), {
      method: 'POST',
      headers,
      body: new URLSearchParams({ link }),
      redirect: 'manual',
    });

  it('is for nobody in particular, kept nowhere, and allows its own script alone', async () => {
    const ann = await kit.person();
    const { signed } = await kit.lyceum.make.session(ann.id);
    const [plain, withCookie] = await Promise.all([
      fetch(address()),
      fetch(address(), { headers: { Cookie: signed.headers.Cookie ?? '' } }),
    ]);
    expect(plain.status).to.equal(200);
    expect(plain.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(plain.headers.get('cache-control')).to.equal('no-store');
    expect(plain.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(plain.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(plain.headers.get('set-cookie')).to.equal(null);
    const policy = plain.headers.get('content-security-policy') ?? '';
    expect(policy).to.match(/^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; /);
    expect(policy).not.to.match(/unsafe|\*|https?:/);
    expect(await withCookie.text()).to.equal(await plain.text());
  });

  it('answers HEAD, and no method that could change something but its form', async () => {
    const head = await fetch(address(), { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const refused = await fetch(address(), { method });
      expect([refused.status, refused.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, POST']);
    }
    expect((await fetch(`${address()}/x`)).status).to.equal(404);
    expect((await fetch(`${address()}/`)).status).to.equal(200);
  });

  it('speaks the language of the browser, else of the site', async () => {
    const site = await kit.lyceum.make.site();
    await kit.lyceum.make.settings('host', { default_lang: 'ru', languages: ['ru'] }, site.blog_id);
    const language = async (accepted: string, path: string) =>
      /<html lang="(\w+)"/.exec(
        await (await fetch(address(path), { headers: { 'Accept-Language': accepted } })).text(),
      )?.[1];
    for (const [accepted, onEnglish, onRussian] of [
      ['*', 'en', 'ru'],
      ['de-DE,de;q=0.9', 'en', 'ru'],
      ['ru-RU,ru;q=0.9,en;q=0.5', 'ru', 'ru'],
      ['de,en;q=0.4,ru;q=0.2', 'en', 'en'],
      ['en;q=0, ru;q=0.1', 'ru', 'ru'],
    ] as const) {
      expect(await language(accepted, '/'), accepted).to.equal(onEnglish);
      expect(await language(accepted, site.path), accepted).to.equal(onRussian);
    }
  });

  it('takes its form from its own host only, and leads on within the site', async () => {
    const site = await kit.lyceum.make.site();
    const ann = await kit.person({ site: site.blog_id });
    const { body } = await kit.make({ user_id: ann.id, redirect: 'a?b=1' }, kit.admin, site).expect(201);
    const own = { Origin: kit.lyceum.origin };
    for (const headers of [{}, { Origin: 'https://evil.example' }, { Origin: 'null' }]) {
      expect((await post(body.url, headers, site.path)).status).to.equal(403);
    }
    const wrong = await post('ml_wrong', own, site.path);
    expect(wrong.status).to.equal(403);
    expect(await wrong.text()).to.match(/data-problem="magic_links_invalid">/);
    expect((await post(body.url, own)).status).to.equal(403);
    const json = await fetch(address(site.path), {
      method: 'POST',
      headers: { ...own, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(json.status).to.equal(415);
    expect((await post('x'.repeat(20_000), own, site.path)).status).to.equal(413);
    const right = await post(body.url, own, site.path);
    expect([right.status, right.headers.get('location')]).to.deep.equal([303, `${site.path}a?b=1`]);
    expect(right.headers.get('set-cookie')).to.match(/^svc_session=[\w-]{43}; Path=\/; /);
    expect((await post(body.url, own, site.path)).status).to.equal(403);
    for (const redirect of ['/.//evil.example', `http://localhost:${kit.lyceum.host.port}//evil.example`]) {
      await kit.make({ user_id: ann.id, redirect }).expect(404);
      await kit.make({ user_id: kit.admin.id, redirect }).expect(400);
    }
  });

  it('is a place that no site can take, and is gone where the module is off', async () => {
    const admin = kit.lyceum.as(kit.admin);
    const toggle = (enabled: boolean) =>
      admin.put('svc/modules/v1/modules/magic_links', { enabled }).expect(200);
    await toggle(false);
    const answer = await fetch(address());
    expect([answer.status, ((await answer.json()) as { code: string }).code]).to.deep.equal([
      404,
      'rest_no_route',
    ]);
    await toggle(true);
    expect((await fetch(address())).status).to.equal(200);
  });
});
