import { type Identity, startTestHost, type TestHost, type TestUser } from '@lyceum/core/testing';
import { expect } from 'chai';

const sites = 'svc/site-manager/v1/sites';

describe('site_manager: creating sites', () => {
  let lyceum: TestHost;
  let admin: TestUser;
  before(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'] });
    admin = await lyceum.make.admin();
  });
  after(() => lyceum.stop());

  const create = (body: object, who: Identity = admin) => lyceum.as(who).post(sites, body);

  it('creates a site that serves at once, and refuses its slug to the next', async () => {
    const answer = await create({ title: 'Lab', slug: 'lab' }).expect(201);
    const origin = `http://localhost:${lyceum.host.port}`;
    expect(answer.body).to.deep.include({
      network_id: 1,
      title: 'Lab',
      slug: 'lab',
      domain: 'localhost',
      path: '/lab/',
      description: '',
      status_id: null,
      status: null,
      category_ids: [],
      categories: [],
      site_url: `${origin}/lab/`,
      admin_url: `${origin}/lab/console/`,
      public: 1,
      archived: 0,
      deleted: 0,
      spam: 0,
      mature: 0,
      is_main_site: false,
      is_template: false,
    });
    expect(answer.body).not.to.have.property('user_count');
    expect(Date.parse(answer.body.registered)).to.be.closeTo(Date.now(), 60_000);
    expect(answer.headers.location).to.equal(`${origin}/api/${sites}/${answer.body.blog_id}`);
    const index = await lyceum.as(admin, { path: '/lab/', domain: 'localhost' }).get('').expect(200);
    expect(index.body).to.deep.include({ name: 'Lab', blog_id: answer.body.blog_id });
    const again = await create({ title: 'Lab', slug: 'lab' }).expect(409);
    expect(again.body.code).to.equal('site_exists');
    const one = await lyceum.as(admin).get(`${sites}/${answer.body.blog_id}`).expect(200);
    expect(one.body).to.deep.equal(answer.body);
  });

  it('lets one of twenty simultaneous requests have a slug', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create({ title: 'Same', slug: 'same' })),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).to.deep.equal([201, ...Array(19).fill(409)]);
    for (const { status, body } of answers) if (status === 409) expect(body.code).to.equal('site_exists');
    const listed = await lyceum.as(admin).get(`${sites}?search=/same/`).expect(200);
    expect(listed.body).to.have.length(1);
  });

  it('sanitizes slugs and refuses what is left of bad ones with the reason', async () => {
    const made = await create({ title: 'x', slug: 'Ünïcode Läb' }).expect(201);
    expect(made.body.slug).to.equal('unicode-lab');
    expect((await create({ title: 'x', slug: '../up' }).expect(201)).body.path).to.equal('/up/');
    expect((await create({ title: 'x', slug: 'Школа №1' }).expect(201)).body.slug).to.match(
      /^shkola-[a-z0-9-]+$/,
    );
    const reasons = {
      '---': 'empty',
      '': 'empty',
      ['a'.repeat(64)]: 'too_long',
      ['a'.repeat(100_000)]: 'too_long',
      api: 'reserved',
      WWW: 'reserved',
      console: 'reserved',
      files: 'reserved',
      healthz: 'reserved',
      readyz: 'reserved',
      metrics: 'reserved',
      network: 'reserved',
      admin: 'reserved',
      docs: 'reserved',
    };
    for (const [slug, reason] of Object.entries(reasons)) {
      const { body } = await create({ title: 'x', slug }).expect(400);
      expect(body.code, slug.slice(0, 20)).to.equal('site_slug_invalid');
      expect(body.data, slug.slice(0, 20)).to.deep.equal({ status: 400, reason });
    }
    const longest = 'b'.repeat(63);
    expect((await create({ title: 'x', slug: longest }).expect(201)).body.slug).to.equal(longest);
  });

  it('keeps free what the network reserves and makes sites as public as it says', async () => {
    const settings = { reserved_slugs: ['Sales Dept'], default_public: 0 };
    await lyceum.as(admin).patch('svc/modules/v1/modules/site_manager/settings', { settings }).expect(200);
    const refused = await create({ title: 'x', slug: 'sales-dept' }).expect(400);
    expect(refused.body.data.reason).to.equal('reserved');
    expect((await create({ title: 'x', slug: 'quiet' }).expect(201)).body.public).to.equal(0);
    expect((await create({ title: 'x', slug: 'loud', public: 1 }).expect(201)).body.public).to.equal(1);
    const defaults = { settings: { reserved_slugs: null, default_public: null } };
    await lyceum.as(admin).patch('svc/modules/v1/modules/site_manager/settings', defaults).expect(200);
    await create({ title: 'x', slug: 'sales-dept' }).expect(201);
  });

  it('takes status, categories, administrator and the rest', async () => {
    const status = await lyceum.as(admin).post('svc/site-manager/v1/statuses', { name: 'Open' }).expect(201);
    const one = await lyceum.as(admin).post('svc/site-manager/v1/categories', { name: 'One' }).expect(201);
    const two = await lyceum.as(admin).post('svc/site-manager/v1/categories', { name: 'Two' }).expect(201);
    const ann = await lyceum.make.user();
    const { body } = await create({
      title: '<b>Bold</b>',
      slug: 'full',
      description: 'About',
      public: 0,
      status_id: status.body.id,
      category_ids: [two.body.id, one.body.id, two.body.id],
      user_id: ann.id,
      is_template: true,
      archived: 1,
      unknown: 'key',
    }).expect(201);
    expect(body).to.deep.include({
      title: '<b>Bold</b>',
      description: 'About',
      public: 0,
      archived: 0,
      is_template: true,
      status_id: status.body.id,
      status: { id: status.body.id, name: 'Open', slug: 'open' },
      category_ids: [one.body.id, two.body.id],
      categories: [
        { id: one.body.id, name: 'One', slug: 'one' },
        { id: two.body.id, name: 'Two', slug: 'two' },
      ],
    });
    const members = await lyceum.as(admin).get(`${sites}/${body.blog_id}/users`).expect(200);
    expect(members.body.map(({ id, role }: { id: number; role: string }) => ({ id, role }))).to.deep.equal([
      { id: ann.id, role: 'administrator' },
    ]);
    expect((await lyceum.as(admin).get(`${sites}/${body.blog_id}`).expect(200)).body).to.deep.equal(body);
  });

  it('answers 404 for references to nothing and writes nothing then', async () => {
    const category = await lyceum
      .as(admin)
      .post('svc/site-manager/v1/categories', { name: 'Mine' })
      .expect(201);
    const wrong = [
      [{ user_id: 99_999 }, 'user_not_found', ['user_id']],
      [{ status_id: 99_999 }, 'term_not_found', ['status_id']],
      [{ status_id: category.body.id }, 'term_not_found', ['status_id']],
      [{ category_ids: [category.body.id, 99_999] }, 'term_not_found', ['category_ids']],
    ] as const;
    for (const [body, code, params] of wrong) {
      const answer = await create({ title: 'x', slug: 'nowhere', ...body }).expect(404);
      expect(answer.body.code).to.equal(code);
      expect(answer.body.data).to.deep.equal({ status: 404, params });
    }
    expect((await lyceum.as(admin).get(`${sites}?search=nowhere`).expect(200)).body).to.deep.equal([]);
  });

  it('refuses bad bodies', async () => {
    const missing = await create({ title: 'x' }).expect(400);
    expect(missing.body.code).to.equal('rest_missing_callback_param');
    expect(missing.body.data.params).to.deep.equal(['slug']);
    const bad = [
      { title: '' },
      { title: 'x'.repeat(201) },
      { title: 5 },
      { slug: 5 },
      { description: 'x'.repeat(1001) },
      { public: 2 },
      { public: '1' },
      { public: true },
      { status_id: '1' },
      { category_ids: 1 },
      { category_ids: ['1'] },
      { category_ids: Array.from({ length: 51 }, (_none, at) => at + 1) },
      { user_id: 0 },
      { user_id: 1.5 },
      { is_template: 1 },
      { title: 'a\0b' },
    ];
    for (const change of bad) {
      const answer = await create({ title: 'x', slug: 'bad', ...change }).expect(400);
      expect(answer.body.code, JSON.stringify(change)).to.equal('rest_invalid_param');
      expect(Object.keys(answer.body.data.params)[0]).to.match(new RegExp(`^${Object.keys(change)[0]}`));
    }
  });

  it('is for those who manage the network, from whichever of its sites', async () => {
    const site = await lyceum.make.site();
    const editor = await lyceum.make.user({ role: 'administrator' });
    await lyceum.anonymous.post(sites, { title: 'x', slug: 'x1' }).expect(401);
    expect((await create({ title: 'x', slug: 'x1' }, editor).expect(403)).body.code).to.equal(
      'rest_forbidden',
    );
    const { cookie, signed } = await lyceum.make.session(1);
    await create({ title: 'x', slug: 'x1' }, cookie).expect(403);
    const elsewhere = await lyceum.as(signed, site).post(sites, { title: 'x', slug: 'x1' }).expect(201);
    expect(elsewhere.body.path).to.equal('/x1/');
    expect(elsewhere.headers.location).to.match(new RegExp(`${site.path}api/${sites}/\\d+$`));
  });

  it('answers a repetition under one Idempotency-Key with the first answer', async () => {
    const send = () => create({ title: 'Once', slug: 'once' }).set('Idempotency-Key', 'k1');
    const first = await send().expect(201);
    expect((await send().expect(201)).body).to.deep.equal(first.body);
  });

  it('writes who created what', async () => {
    const { body } = await create({ title: 'Seen', slug: 'seen' }).expect(201);
    await create({ title: 'Seen', slug: 'seen' }).expect(409);
    const rows = await lyceum.as(admin).get(`svc/modules/v1/audit?blog_id=${body.blog_id}`).expect(200);
    expect(rows.body).to.have.length(1);
    expect(rows.body[0]).to.deep.include({
      action: 'site.create',
      module: 'site_manager',
      user_id: 1,
      blog_id: body.blog_id,
      subject: `site:${body.blog_id}`,
      to: { title: 'Seen', domain: 'localhost', path: '/seen/', user_id: 1 },
    });
  });
});
