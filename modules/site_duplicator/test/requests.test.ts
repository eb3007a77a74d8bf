import { startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { CopyKit, route } from './copy-kit.ts';

describe('site_duplicator: requests', () => {
  let lyceum: TestHost;
  let kit: CopyKit;
  let lab: TestSite;

  before(async () => {
    lyceum = await startTestHost({ modules: ['site_duplicator', 'site_manager'] });
    kit = new CopyKit(lyceum, await lyceum.make.admin());
    lab = await lyceum.make.site('lab');
  });
  after(() => lyceum.stop());

  const post = (body: object, source: number | string = lab.blog_id, client = kit.client) =>
    client.post(`${route}/sites/${source}/duplicate`, body);

  const reserved = async (): Promise<number> => {
    const row = await lyceum.host.db.knex('sites').where('state', 'creating').count({ n: '*' }).first();
    return Number(row?.n);
  };

  it('reserve the address at once: no route sees the site, and no other takes its slug', async () => {
    const { body: job } = await post({ slug: 'taken' }).expect(202);
    const target = job.payload.target_blog_id;
    await lyceum
      .as(kit.identity, { path: '/taken/', domain: 'localhost' })
      .get('svc/host/v1/posts')
      .expect(404);
    const { body: sites } = await kit.client.get('svc/site-manager/v1/sites?per_page=100').expect(200);
    expect(sites.map(({ blog_id }: TestSite) => blog_id)).to.not.include(target);
    await kit.client.get(`svc/site-manager/v1/sites/${target}`).expect(404);
    await kit.client.get(`svc/host/v1/posts?blog_id=${target}`).expect(404);
    const again = await post({ slug: 'taken' }).expect(409);
    expect(again.body.code).to.equal('site_exists');
    const other = await kit.client
      .post('svc/site-manager/v1/sites', { title: 'T', slug: 'taken' })
      .expect(409);
    expect(other.body.code).to.equal('site_exists');
    const { body: answer } = await kit.client
      .get('svc/site-manager/v1/sites/slug-availability?slug=taken')
      .expect(200);
    expect(answer).to.deep.include({ available: false, reason: 'taken' });
    expect((await post({ slug: 'from-copy' }, target).expect(404)).body.code).to.equal('site_not_found');
  });

  it('of which twenty want one slug: one gets it', async () => {
    const before = await reserved();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ slug: 'same' })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([202, ...Array(19).fill(409)]);
    expect(await reserved()).to.equal(before + 1);
  });

  it('are answered once for one Idempotency-Key', async () => {
    const send = () => post({ slug: 'once' }).set('Idempotency-Key', 'a-key');
    const [first, second] = [await send().expect(202), await send().expect(202)];
    expect(second.body.job_id).to.equal(first.body.job_id);
    await post({ slug: 'once' }).expect(409);
  });

  it('that are wrong reserve nothing', async () => {
    const before = await reserved();
    const network = await lyceum.make.network();
    const { knex } = lyceum.host.db;
    const [foreign] = (await knex('terms')
      .insert({
        network_id: network.network_id,
        taxonomy: 'site_category',
        name: 'F',
        name_key: 'f',
        slug: 'f',
      })
      .returning('id')) as { id: number }[];
    const wrong: readonly (readonly [object, number, string])[] = [
      [{}, 400, 'rest_missing_callback_param'],
      [{ slug: 5 }, 400, 'rest_invalid_param'],
      [{ slug: '---' }, 400, 'site_slug_invalid'],
      [{ slug: 'api' }, 400, 'site_slug_invalid'],
      [{ slug: 'x'.repeat(64) }, 400, 'site_slug_invalid'],
      [{ slug: 'kept-free' }, 400, 'site_slug_invalid'],
      [{ slug: 'lab' }, 409, 'site_exists'],
      [{ slug: 'a', copy_users: 'yes' }, 400, 'rest_invalid_param'],
      [{ slug: 'a', copy_posts: 1 }, 400, 'rest_invalid_param'],
      [{ slug: 'a', copy_posts: false, copy_modules: true }, 400, 'rest_invalid_param'],
      [{ slug: 'a', title: '' }, 400, 'rest_invalid_param'],
      [{ slug: 'a', title: 'x'.repeat(201) }, 400, 'rest_invalid_param'],
      [{ slug: 'a', public: 2 }, 400, 'rest_invalid_param'],
      [{ slug: 'a', user_id: '1' }, 400, 'rest_invalid_param'],
      [{ slug: 'a', user_id: 0 }, 404, 'user_not_found'],
      [{ slug: 'a', user_id: 99_999_999_999 }, 404, 'user_not_found'],
      [{ slug: 'a', category_ids: [foreign?.id] }, 404, 'term_not_found'],
      [{ slug: 'a', status_id: foreign?.id }, 404, 'term_not_found'],
    ];
    await lyceum.make.settings('site_manager', { reserved_slugs: ['kept-free'] });
    for (const [body, status, code] of wrong) {
      const answer = await post(body);
      expect([answer.status, answer.body.code], JSON.stringify(body)).to.deep.equal([status, code]);
    }
    const parts = await post({ slug: 'a', copy_posts: false, copy_modules: true }).expect(400);
    expect(parts.body.data.params).to.have.key('copy_modules');
    for (const source of ['0', 'x', '99999', '99999999999']) {
      expect((await post({ slug: 'a' }, source).expect(404)).body.code).to.equal('site_not_found');
    }
    const far = await post({ slug: 'a' }, network.blog_id).expect(404);
    expect(far.body).to.deep.include({ code: 'site_not_in_network', message: 'Site not found.' });
    expect(await reserved()).to.equal(before);
  });

  it('are for those who manage the network', async () => {
    await lyceum.anonymous.post(`${route}/sites/${lab.blog_id}/duplicate`, { slug: 'a' }).expect(401);
    const owner = await lyceum.make.user({ role: 'administrator', site: lab.blog_id });
    await knexTemplate(true);
    for (const site of [undefined, lab]) {
      const answer = await post({ slug: 'a' }, lab.blog_id, lyceum.as(owner, site)).expect(403);
      expect(answer.body.code).to.equal('rest_forbidden');
    }
    await knexTemplate(false);
    const network = await lyceum.make.network();
    const foreign = await lyceum.make.user({ superAdminOf: network.network_id });
    const far = await post({ slug: 'a' }, lab.blog_id, lyceum.as(foreign, network)).expect(404);
    expect(far.body.code).to.equal('site_not_in_network');
    await post({ slug: 'a' }, lab.blog_id, lyceum.as(foreign)).expect(403);
  });

  const knexTemplate = (is_template: boolean) =>
    lyceum.host.db.knex('sites').where({ blog_id: lab.blog_id }).update({ is_template });

  it('show jobs of this module to their owners and to the network', async () => {
    const { body: job } = await post({ slug: 'shown' }).expect(202);
    const path = `${route}/jobs/${job.job_id}`;
    const helper = lyceum.as(await lyceum.make.user({ superAdminOf: 1 }));
    await helper.get(path).expect(200);
    expect((await helper.get(`${route}/jobs`).expect(200)).body).to.deep.equal([]);
    const administrator = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
    expect((await administrator.get(path).expect(403)).body.code).to.equal('forbidden');
    expect((await administrator.get(`${route}/jobs`).expect(200)).body).to.deep.equal([]);
    await lyceum
      .as(await lyceum.make.user({ role: 'editor' }))
      .get(path)
      .expect(403);
    await lyceum.anonymous.get(path).expect(401);
    const own = await kit.client.get(`${route}/jobs?per_page=100&status=pending,running`).expect(200);
    expect(own.body.map(({ job_id }: { job_id: string }) => job_id)).to.include(job.job_id);
    const events = await kit.client.get(`${path}/events`).expect(200);
    expect(events.body[0].message).to.equal('Enqueued.');
    const network = await lyceum.make.network();
    const foreign = lyceum.as(await lyceum.make.user({ superAdminOf: network.network_id }), network);
    expect((await foreign.get(path).expect(404)).body.code).to.equal('job_not_in_network');
    expect((await kit.client.get(`${route}/jobs/nope`).expect(404)).body.code).to.equal('job_not_found');
  });

  it('are refused where there is one site only', async () => {
    const single = await startTestHost({ modules: ['site_duplicator'], config: { multisite: 'off' } });
    try {
      const admin = single.as(await single.make.admin());
      expect((await admin.post(`${route}/sites/1/duplicate`, { slug: 'a' }).expect(403)).body.code).to.equal(
        'rest_forbidden',
      );
      expect((await admin.get(`${route}/jobs`).expect(200)).body).to.deep.equal([]);
    } finally {
      await single.stop();
    }
  });
});
