import { expect } from 'chai';
import { bumpRevision } from '../../core/state/site-state.ts';
import { version } from '../../core/version.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';

describe("the API's description of itself", () => {
  let lyceum: TestHost;
  let base: string;

  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    base = `http://localhost:${lyceum.host.port}`;
  });
  after(() => lyceum.stop());

  const raw = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${lyceum.origin}${path}`, init);

  it('begins with an index of the site and of what it serves', async () => {
    const { body, headers } = await lyceum.anonymous
      .get('')
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    expect(body).to.deep.include({
      name: 'Lyceum',
      description: '',
      url: `${base}/`,
      home: `${base}/`,
      blog_id: 1,
      network_id: 1,
      multisite: 'subdirectory',
      version,
      authentication: {},
    });
    expect(body.namespaces).to.include('svc/modules/v1');
    expect(headers.link).to.equal(
      `<${base}/api/openapi.json>; rel="service-desc", <${base}/docs>; rel="service-doc"`,
    );
  });

  it('lists routes in the form that clients of WordPress hosts read', async () => {
    const { routes } = (await lyceum.anonymous.get('').expect(200)).body;
    const toggle = routes['/svc/modules/v1/modules/(?P<id>[^/]+)'];
    // `me` is a user too.
    expect(routes).to.include.keys('/svc/host/v1/users/(?P<id>[^/]+)', '/svc/host/v1/posts/(?P<id>[\\d]+)');
    expect(toggle).to.deep.include({ namespace: 'svc/modules/v1', module: 'modules', extension: false });
    expect(toggle.methods).to.have.members(['GET', 'PATCH', 'POST', 'PUT']);
    const put = toggle.endpoints.find(({ methods }: { methods: string[] }) => methods.includes('PUT'));
    expect(put.args).to.deep.include({
      id: { required: true, type: 'string' },
      enabled: { required: false, type: 'boolean' },
      blog_id: { required: false, type: 'integer' },
    });
    for (const route of Object.keys(routes)) {
      // What such a client does with a route: each group must stand for one whole segment.
      const segments = route.replaceAll(/\(\?P<\w+>(\[\\d\]\+|\[\^\/\]\+)\)/g, ':');
      expect(segments).to.match(/^\/[A-Za-z0-9._:/-]+$/);
    }
  });

  it('is the same for HEAD, without a body, and 304 to who has it', async () => {
    for (const path of ['/api/', '/api/openapi.json']) {
      const got = await raw(path);
      const body = await got.text();
      const head = await raw(path, { method: 'HEAD' });
      expect(head.status).to.equal(200);
      expect(await head.text()).to.equal('');
      expect(head.headers.get('content-length')).to.equal(String(Buffer.byteLength(body)));
      const etag = got.headers.get('etag') ?? '';
      expect(etag)
        .to.match(/^"[\w-]+"$/)
        .and.equal(head.headers.get('etag'));
      const again = await raw(path, { headers: { 'If-None-Match': `"other", W/${etag}` } });
      expect(again.status).to.equal(304);
      expect(await again.text()).to.equal('');
    }
  });

  it('takes no other method', async () => {
    for (const path of ['/api/', '/api/openapi.json']) {
      const refused = await raw(path, { method: 'POST', body: '{}' });
      expect(refused.status).to.equal(405);
      expect(refused.headers.get('allow')).to.equal('GET, HEAD');
      expect(await refused.json()).to.deep.include({
        code: 'rest_method_not_allowed',
        data: { status: 405 },
      });
      const asked = await raw(path, { method: 'OPTIONS' });
      expect([asked.status, asked.headers.get('allow')]).to.deep.equal([204, 'GET, HEAD']);
    }
  });

  it('answers with and without a slash at the end, and nothing beside', async () => {
    for (const path of ['/api', '/api/', '/api/openapi.json', '/api/openapi.json/']) {
      expect((await raw(path)).status, path).to.equal(200);
    }
    for (const path of [
      '/api/openapi.yaml',
      '/api/openapi',
      '/api/OPENAPI.json',
      '/api/openapi.json/x',
      '/apix',
    ]) {
      expect((await raw(path)).status, path).to.equal(404);
    }
  });

  it('keeps the keys that `_fields` names', async () => {
    const { body } = await lyceum.anonymous.get('?_fields=name,%20blog_id,nothing').expect(200);
    expect(body).to.deep.equal({ name: 'Lyceum', blog_id: 1 });
    const described = (await lyceum.anonymous.get('openapi.json?_fields=openapi').expect(200)).body;
    expect(described).to.deep.equal({ openapi: '3.1.1' });
  });

  it("is each site's own, at the site's stored address, whatever the request says of its host", async () => {
    const site = await lyceum.make.site('lab');
    const forged = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
    for (let round = 0; round < 2; round += 1) {
      const main = (await lyceum.anonymous.get('').set(forged).expect(200)).body;
      expect([main.blog_id, main.url]).to.deep.equal([1, `${base}/`]);
      const own = await raw(`${site.path}api/`, { headers: forged });
      const body = (await own.json()) as { blog_id: number; name: string; url: string };
      expect([body.blog_id, body.name, body.url]).to.deep.equal([site.blog_id, 'lab', `${base}/lab/`]);
      const described = (await (await raw(`${site.path}api/openapi.json`)).json()) as { servers: unknown };
      expect(described.servers).to.deep.equal([{ url: '/lab/api', description: 'lab' }]);
    }
  });

  it('follows the title at once, and the tagline with the revision', async () => {
    const site = await lyceum.make.site();
    const named = async (): Promise<unknown> => {
      const { name, description } = (await (await raw(`${site.path}api/`)).json()) as Record<string, unknown>;
      return [name, description];
    };
    await named();
    const { db } = lyceum.host;
    await db.knex('sites').where({ blog_id: site.blog_id }).update({ title: 'A "new" <title>' });
    expect(await named()).to.deep.equal(['A "new" <title>', '']);
    await db.transaction(async (trx) => {
      await trx('sites').where({ blog_id: site.blog_id }).update({ description: 'And a tagline' });
      await bumpRevision(trx);
    });
    expect(await named()).to.deep.equal(['A "new" <title>', 'And a tagline']);
  });

  it('is public, and gives a session its fresh nonce', async () => {
    const { cookie } = await lyceum.make.session(1);
    const { headers } = await lyceum.as(cookie).get('').expect(200);
    expect(headers['x-svc-nonce']).to.match(/^[\w-]{27}$/);
    expect(headers['cache-control']).to.equal('private, no-cache');
  });

  it('says what the installation is where there is one site only', async () => {
    const single = await startTestHost({ modules: [], config: { multisite: 'off' } });
    const { body } = await single.anonymous.get('').expect(200);
    await single.stop();
    expect(body.multisite).to.equal('off');
  });
});
