import { startTestHost, type TestHost, type TestUser } from '@lyceum/core/testing';
import { expect } from 'chai';

const categories = 'svc/site-manager/v1/categories';
const statuses = 'svc/site-manager/v1/statuses';
const sites = 'svc/site-manager/v1/sites';

describe('site_manager: categories and statuses', () => {
  let lyceum: TestHost;
  let admin: TestUser;
  before(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'] });
    admin = await lyceum.make.admin();
  });
  after(() => lyceum.stop());

  const make = async (body: object, route = categories): Promise<number> =>
    (await lyceum.as(admin).post(route, body).expect(201)).body.id;
  const patch = (id: number | string, body: object, route = categories) =>
    lyceum.as(admin).patch(`${route}/${id}`, body);
  const parentOf = async (id: number): Promise<number> => (await patch(id, {}).expect(200)).body.parent;

  it('begins with the category General, in Russian too, and no status', async () => {
    const seeded = (await lyceum.as(admin).get(categories).expect(200)).body;
    expect(seeded).to.deep.equal([{ id: seeded[0].id, name: 'General', slug: 'general', parent: 0 }]);
    expect((await lyceum.as(admin).get(`${categories}?lang=ru`).expect(200)).body[0].name).to.equal('Общие');
    expect((await lyceum.as(admin).get(`${categories}?lang=fr`).expect(200)).body[0].name).to.equal(
      'General',
    );
    expect((await lyceum.as(admin).get(statuses).expect(200)).body).to.deep.equal([]);
  });

  it('creates terms and refuses their names and slugs to others', async () => {
    const first = await lyceum.as(admin).post(categories, { name: 'A' }).expect(201);
    expect(first.body).to.deep.equal({ id: first.body.id, name: 'A', slug: 'a', parent: 0 });
    expect(first.headers.location).to.match(new RegExp(`${categories}/${first.body.id}$`));
    for (const body of [{ name: 'A' }, { name: 'a' }, { name: 'Other', slug: 'A' }]) {
      const again = await lyceum.as(admin).post(categories, body).expect(409);
      expect(again.body).to.deep.include({ code: 'term_exists' });
      expect(again.body.data).to.deep.equal({ status: 409, term_id: first.body.id });
    }
    const below = await lyceum
      .as(admin)
      .post(categories, { name: 'A', slug: 'a-b', parent_id: first.body.id });
    expect(below.body).to.deep.include({ slug: 'a-b', parent: first.body.id });
    const status = await lyceum.as(admin).post(statuses, { name: 'A' }).expect(201);
    expect(status.body).to.deep.equal({ id: status.body.id, name: 'A', slug: 'a' });
  });

  it('lets one of ten simultaneous requests have a name', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => lyceum.as(admin).post(statuses, { name: 'Race' })),
    );
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal([201, ...Array(9).fill(409)]);
  });

  it('lists by name, by the name in a language, by parent and part', async () => {
    const top = await make({ name: 'List', names: { ru: 'Ярус' } });
    await make({ name: 'listed b', slug: 'lb', parent_id: top, names: { ru: 'Аист' } });
    await make({ name: 'Listed A', slug: 'la', parent_id: top });
    const names = async (query: string): Promise<string[]> =>
      (await lyceum.as(admin).get(`${categories}?${query}`).expect(200)).body.map(
        (term: { name: string }) => term.name,
      );
    expect(await names(`parent_id=${top}`)).to.deep.equal(['Listed A', 'listed b']);
    expect(await names('search=LISTED')).to.deep.equal(['Listed A', 'listed b']);
    expect(await names('search=аист&lang=ru')).to.deep.equal(['Аист']);
    expect(await names(`parent_id=${top}&lang=ru`)).to.have.members(['Аист', 'Listed A']);
    expect(await names('parent_id=0'))
      .to.include('List')
      .and.not.include('Listed A');
    const page = await lyceum.as(admin).get(`${categories}?search=listed&per_page=1&page=2`).expect(200);
    expect(page.body).to.have.length(1);
    expect(page.headers['x-svc-total']).to.equal('2');
  });

  it('changes the given fields; an empty body changes nothing', async () => {
    const [top, other] = [await make({ name: 'Top one' }), await make({ name: 'Top two' })];
    const id = await make({ name: 'Child', parent_id: top });
    const before = (await patch(id, {}).expect(200)).body;
    expect(before).to.deep.equal({ id, name: 'Child', slug: 'child', parent: top });
    expect((await patch(id, { slug: 'Neu Ä', name: 'Neu' }).expect(200)).body).to.deep.equal({
      id,
      name: 'Neu',
      slug: 'neu-a',
      parent: top,
    });
    expect((await patch(id, { parent_id: other }).expect(200)).body.parent).to.equal(other);
    expect((await patch(id, { name: 'Still there' }).expect(200)).body.parent).to.equal(other);
    expect((await patch(id, { parent_id: 0 }).expect(200)).body.parent).to.equal(0);
    const clash = await patch(id, { name: 'top ONE' }).expect(409);
    expect(clash.body.data.term_id).to.equal(top);
    expect((await patch(id, { slug: 'top-two' }).expect(409)).body.data.term_id).to.equal(other);
    const rows = await lyceum.as(admin).get('svc/modules/v1/audit?action=site_term.').expect(200);
    const own = rows.body.filter((row: { subject: string }) => row.subject === `term:${id}`);
    expect(own.map((row: { action: string }) => row.action)).to.deep.equal([
      ...Array(4).fill('site_term.update'),
      'site_term.create',
    ]);
    expect(own[0]).to.deep.include({ blog_id: null, network_id: 1 });
  });

  it('refuses a parent that is unknown, the term itself or below it', async () => {
    const top = await make({ name: 'Root' });
    const middle = await make({ name: 'Middle', parent_id: top });
    const low = await make({ name: 'Low', parent_id: middle });
    const status = await make({ name: 'No parent' }, statuses);
    for (const parent_id of [99_999, top, middle, low, status, -1, '1', null]) {
      const { body } = await patch(top, { parent_id }).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
      expect(Object.keys(body.data.params)).to.deep.equal(['parent_id']);
    }
    const created = await lyceum.as(admin).post(categories, { name: 'Lost', parent_id: 99_999 }).expect(400);
    expect(Object.keys(created.body.data.params)).to.deep.equal(['parent_id']);
  });

  it('lets two simultaneous changes make no circle: the second gets 400', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [await make({ name: `Left ${round}` }), await make({ name: `Right ${round}` })];
      const answers = await Promise.all([patch(a, { parent_id: b }), patch(b, { parent_id: a })]);
      expect(answers.map((answer) => answer.status).sort()).to.deep.equal([200, 400]);
      expect([await parentOf(a), await parentOf(b)]).to.include(0);
    }
  });

  it('deletes a term: children go to its parent, sites lose it', async () => {
    const top = await make({ name: 'Grandparent' });
    const middle = await make({ name: 'Parent', parent_id: top });
    const low = await make({ name: 'Grandchild', parent_id: middle });
    const status = await make({ name: 'Fleeting' }, statuses);
    const { body: site } = await lyceum
      .as(admin)
      .post(sites, { title: 'x', slug: 'sorted', category_ids: [middle, low], status_id: status })
      .expect(201);
    const gone = await lyceum.as(admin).delete(`${categories}/${middle}`).expect(200);
    expect(gone.body).to.deep.equal({ deleted: true, id: middle });
    expect(await parentOf(low)).to.equal(top);
    await lyceum.as(admin).delete(`${statuses}/${status}`).expect(200);
    const after = await lyceum.as(admin).get(`${sites}/${site.blog_id}`).expect(200);
    expect(after.body).to.deep.include({ category_ids: [low], status_id: null, status: null });
    await lyceum.as(admin).delete(`${categories}/${middle}`).expect(404);
  });

  it('deletes a term while others move its children or give it to sites', async () => {
    const { blog_id } = await lyceum.make.site();
    for (let round = 0; round < 10; round += 1) {
      const parent = await make({ name: `Going ${round}` });
      const child = await make({ name: `Child of going ${round}`, parent_id: parent });
      const status = await make({ name: `Going ${round}` }, statuses);
      const site = { category_ids: [parent], status_id: status };
      await lyceum.as(admin).patch(`${sites}/${blog_id}`, site).expect(200);
      const answers = await Promise.all([
        patch(child, { parent_id: parent, name: `Moved ${round}` }),
        lyceum.as(admin).delete(`${categories}/${parent}`),
        lyceum.as(admin).patch(`${sites}/${blog_id}`, { ...site, title: `Round ${round}` }),
        lyceum.as(admin).delete(`${statuses}/${status}`),
        lyceum.as(admin).post(sites, { ...site, title: 'x', slug: `round-${round}` }),
      ]);
      const [moved, gone, changed, lost, made] = answers.map((answer) => answer.status);
      expect([gone, lost]).to.deep.equal([200, 200]);
      expect([200, 400]).to.include(moved);
      expect([200, 404]).to.include(changed);
      expect([201, 404]).to.include(made);
      const after = await lyceum.as(admin).get(`${sites}/${blog_id}`).expect(200);
      expect(after.body).to.deep.include({ category_ids: [], status_id: null });
      expect(await parentOf(child)).to.equal(0);
    }
  });

  it('knows only terms of the own taxonomy', async () => {
    const category = await make({ name: 'Only category' });
    const status = await make({ name: 'Only status' }, statuses);
    for (const [route, id] of [
      [statuses, category],
      [categories, status],
      [categories, 99_999],
      [categories, 'x'],
      [statuses, 0],
    ] as const) {
      expect((await patch(id, { name: 'x' }, route).expect(404)).body.code).to.equal('term_not_found');
      expect((await lyceum.as(admin).delete(`${route}/${id}`).expect(404)).body.code).to.equal(
        'term_not_found',
      );
    }
  });

  it('refuses bad input and strangers', async () => {
    const id = await make({ name: 'Guarded' });
    expect((await lyceum.as(admin).post(categories, {}).expect(400)).body.data.params).to.deep.equal([
      'name',
    ]);
    const bad = [
      { name: '' },
      { name: 'x'.repeat(201) },
      { name: null },
      { slug: '' },
      { slug: '!!' },
      { names: [] },
      { names: { 'r u': 'x' } },
    ];
    for (const body of bad) {
      expect((await patch(id, body).expect(400)).body.code, JSON.stringify(body)).to.equal(
        'rest_invalid_param',
      );
    }
    const own = await lyceum.make.user({ role: 'administrator' });
    for (const route of [categories, statuses]) {
      await lyceum.as(own).get(route).expect(403);
      await lyceum.as(own).post(route, { name: 'x' }).expect(403);
      await lyceum.as(own).patch(`${route}/${id}`, {}).expect(403);
      await lyceum.as(own).delete(`${route}/${id}`).expect(403);
      await lyceum.anonymous.get(route).expect(401);
      await lyceum.anonymous.post(route, { name: 'x' }).expect(401);
      await lyceum.anonymous.patch(`${route}/${id}`, {}).expect(401);
      await lyceum.anonymous.delete(`${route}/${id}`).expect(401);
    }
  });
});
