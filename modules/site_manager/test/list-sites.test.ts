import { countStatements, startTestHost, type TestHost, type TestUser } from '@lyceum/core/testing';
import { expect } from 'chai';

const sites = 'svc/site-manager/v1/sites';

describe('site_manager: lists of sites', () => {
  let lyceum: TestHost;
  let admin: TestUser;
  const made = new Map<string, number>();
  before(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'] });
    admin = await lyceum.make.admin();
    for (const slug of ['alpha', 'beta', 'gamma', 'delta']) {
      const body = { title: `The ${slug.toUpperCase()} 100%`, slug };
      made.set(slug, (await lyceum.as(admin).post(sites, body).expect(201)).body.blog_id);
    }
  });
  after(() => lyceum.stop());

  const id = (slug: string): number => made.get(slug) ?? 0;
  const list = async (query: string): Promise<string[]> => {
    const { body } = await lyceum.as(admin).get(`${sites}?${query}`).expect(200);
    return body.map((site: { slug: string }) => site.slug);
  };

  it('pages, total in the headers', async () => {
    const first = await lyceum.as(admin).get(`${sites}?per_page=2`).expect(200);
    expect(first.body.map((site: { slug: string }) => site.slug)).to.deep.equal(['', 'alpha']);
    expect(first.headers).to.deep.include({ 'x-svc-total': '5', 'x-svc-totalpages': '3' });
    expect(first.headers.link).to.match(/page=2[^>]*>; rel="next"/);
    expect(await list('per_page=2&page=3')).to.deep.equal(['delta']);
    expect(await list('page=4')).to.deep.equal([]);
  });

  it('sorts in one total order', async () => {
    expect(await list('orderby=title&search=the')).to.deep.equal(['alpha', 'beta', 'delta', 'gamma']);
    expect(await list('orderby=path&order=desc')).to.deep.equal(['gamma', 'delta', 'beta', 'alpha', '']);
    await lyceum.host.db.knex('sites').update({ registered: '2026-01-01T00:00:00Z' });
    expect(await list('orderby=registered')).to.deep.equal(['', 'alpha', 'beta', 'gamma', 'delta']);
    expect(await list('orderby=registered&order=desc')).to.deep.equal([
      'delta',
      'gamma',
      'beta',
      'alpha',
      '',
    ]);
    await lyceum
      .as(admin)
      .patch(`${sites}/${id('beta')}`, { mature: 1 })
      .expect(200);
    expect((await list('orderby=last_updated')).at(-1)).to.equal('beta');
  });

  it('finds parts of title, domain and path in any case, wildcards taken literally', async () => {
    expect(await list('search=ALPH')).to.deep.equal(['alpha']);
    expect(await list('search=/GAM')).to.deep.equal(['gamma']);
    expect(await list('search=LOCALHOST')).to.have.length(5);
    expect(await list('search=100%25')).to.have.length(4);
    expect(await list('search=a%25a')).to.deep.equal([]);
    expect(await list('search=_lpha')).to.deep.equal([]);
  });

  it('chooses by flags, whatever they are', async () => {
    const change = { public: 0, archived: 1, deleted: 1, spam: 1, is_template: true };
    await lyceum
      .as(admin)
      .patch(`${sites}/${id('gamma')}`, change)
      .expect(200);
    expect(await list('')).to.include('gamma');
    for (const query of [
      'public=0',
      'archived=1',
      'deleted=1',
      'spam=1',
      'is_template=true',
      'is_template=1',
    ]) {
      expect(await list(query), query).to.deep.equal(['gamma']);
    }
    expect(await list('mature=1')).to.deep.equal(['beta']);
    expect(await list('archived=0')).to.deep.equal(['', 'alpha', 'beta', 'delta']);
    expect(await list('archived=1&public=1')).to.deep.equal([]);
  });

  it('chooses by status, by category with all below it, and by member', async () => {
    const term = async (kind: string, body: object): Promise<number> =>
      (await lyceum.as(admin).post(`svc/site-manager/v1/${kind}`, body).expect(201)).body.id;
    const status = await term('statuses', { name: 'Open' });
    const top = await term('categories', { name: 'Top' });
    const middle = await term('categories', { name: 'Middle', parent_id: top });
    const low = await term('categories', { name: 'Low', parent_id: middle });
    await lyceum
      .as(admin)
      .patch(`${sites}/${id('alpha')}`, { category_ids: [low], status_id: status })
      .expect(200);
    await lyceum
      .as(admin)
      .patch(`${sites}/${id('beta')}`, { category_ids: [top, middle] })
      .expect(200);
    expect(await list(`category_id=${top}`)).to.deep.equal(['alpha', 'beta']);
    expect(await list(`category_id=${low}`)).to.deep.equal(['alpha']);
    expect(await list(`status_id=${status}`)).to.deep.equal(['alpha']);
    expect(await list('category_id=99999')).to.deep.equal([]);
    const ann = await lyceum.make.user({ role: 'subscriber', site: id('delta') });
    expect(await list(`user_id=${ann.id}`)).to.deep.equal(['delta']);
  });

  it('counts members when asked to', async () => {
    const { blog_id } = await lyceum.make.site('empty');
    await lyceum.make.user({ role: 'subscriber', site: id('alpha') });
    const { body } = await lyceum.as(admin).get(`${sites}?include=stats`).expect(200);
    const counts = Object.fromEntries(
      body.map((site: { slug: string; user_count: number }) => [site.slug, site.user_count]),
    );
    expect(counts).to.deep.include({ alpha: 2, beta: 1, empty: 0 });
    const one = await lyceum.as(admin).get(`${sites}/${blog_id}?include=stats`).expect(200);
    expect(one.body.user_count).to.equal(0);
    expect((await lyceum.as(admin).get(`${sites}/${blog_id}`).expect(200)).body).not.to.have.property(
      'user_count',
    );
  });

  it('costs the same number of statements for 2 sites and for 100, one more with stats', async () => {
    const { knex } = lyceum.host.db;
    const cost = (query: string): Promise<number> =>
      countStatements(() => lyceum.as(admin).get(`${sites}?${query}`).expect(200));
    await cost('');
    const few = await cost('per_page=2');
    await knex.raw(`insert into sites (network_id, domain, path, slug, title)
      select 1, 'localhost', '/more-' || n || '/', 'more-' || n, 'More ' || n from generate_series(1, 100) n`);
    await knex.raw(`insert into site_terms (blog_id, term_id)
      select s.blog_id, t.id from sites s cross join terms t where t.taxonomy = 'site_category'
      on conflict do nothing`);
    expect(await cost('per_page=100')).to.equal(few);
    expect(few).to.equal(3);
    expect(await cost('per_page=100&include=stats')).to.equal(few + 1);
    expect(await countStatements(() => lyceum.as(admin).get(`${sites}/1`).expect(200))).to.equal(2);
  });

  it('refuses bad queries and strangers', async () => {
    const bad = [
      'orderby=title;drop',
      'order=up',
      'page=0',
      'page=1001',
      'per_page=101',
      'public=2',
      'archived=yes',
      'status_id=x',
      'category_id=0',
      'include=everything',
      'is_template=maybe',
      'search=%00',
    ];
    for (const query of bad) {
      const { body } = await lyceum.as(admin).get(`${sites}?${query}`).expect(400);
      expect(body.code, query).to.equal('rest_invalid_param');
      expect(Object.keys(body.data.params)[0]).to.match(new RegExp(`^${query.split('=')[0]}`));
    }
    await lyceum.anonymous.get(sites).expect(401);
    await lyceum.anonymous.get(`${sites}/1`).expect(401);
    const own = await lyceum.make.user({ role: 'administrator' });
    await lyceum.as(own).get(sites).expect(403);
    await lyceum.as(own).get(`${sites}/1`).expect(403);
    for (const wrong of ['99999', '0', 'x', '1e3']) {
      const { body } = await lyceum.as(admin).get(`${sites}/${wrong}`).expect(404);
      expect(body.code, wrong).to.equal('site_not_found');
    }
  });
});
