import { expect } from 'chai';
import { api, refusal, type SectionHost, startWithSections } from './lyceum.ts';

const reorder = `${api}/reorder`;

describe('course_manager: the order of sections', () => {
  let host: SectionHost;
  let ids: [number, number, number];
  beforeEach(async () => {
    host = await startWithSections();
    ids = [await host.section('A'), await host.section('B'), await host.section('C')];
  });
  afterEach(() => host.lyceum.stop());

  const order = async () => (await host.sections()).map(({ id }) => id);

  it('is what was sent, numbered from 1, by every method that writes', async () => {
    const [a, b, c] = ids;
    const { body } = await host.editor.put(reorder, { order: [c, a, b] }).expect(200);
    expect(body.ok).to.equal(true);
    expect(body.sections).to.deep.equal(await host.sections());
    expect(body.sections.map((one: { id: number; order: number }) => [one.id, one.order])).to.deep.equal([
      [c, 1],
      [a, 2],
      [b, 3],
    ]);
    await host.editor.patch(reorder, { order: [b, c, a] }).expect(200);
    expect(await order()).to.deep.equal([b, c, a]);
    await host.editor.post(reorder, { order: [a, b, c] }).expect(200);
    expect(await order()).to.deep.equal([a, b, c]);
  });

  it('is audited once, and stays untouched by the same request', async () => {
    const [a, b, c] = ids;
    const versions = () =>
      host.lyceum.host.db.knex('terms').whereIn('id', ids).orderBy('id').select('id', 'order', 'xmin');
    const first = await host.editor.put(reorder, { order: [c, b, a] }).expect(200);
    const before = await versions();
    const again = await host.editor.put(reorder, { order: [c, b, a] }).expect(200);
    expect(again.body).to.deep.equal(first.body);
    expect(await versions(), 'no row was written').to.deep.equal(before);
    const rows = await host.audited('reorder');
    expect(rows.map(({ subject, from, to }) => ({ subject, from, to }))).to.deep.equal([
      { subject: 'site:1', from: [a, b, c], to: [c, b, a] },
    ]);
  });

  it('must name every section of the site, and no other', async () => {
    const [a, b, c] = ids;
    const category = (
      await host.editor.post('svc/host/v1/terms', { taxonomy: 'category', name: 'Category' }).expect(201)
    ).body.id;
    const foreign = await host.section('There', {}, host.there);
    const conflict = await host.editor.put(reorder, { order: [c, a] }).expect(409);
    expect(conflict.body).to.deep.include({ code: 'svccm_order_conflict' });
    expect(conflict.body.data).to.deep.equal({ status: 409, missing: [b] });
    for (const id of [999_999, category, foreign, 0, -5, 9_999_999_999]) {
      const answer = await host.editor.put(reorder, { order: [c, a, b, id] }).expect(404);
      expect(answer.body.code).to.equal('svccm_invalid_section_term');
      expect(answer.body.data.ids).to.deep.equal([id]);
    }
    expect((await host.editor.put(reorder, { order: [999_999] }).expect(404)).body.code).to.equal(
      'svccm_invalid_section_term',
    );
    expect((await host.editor.put(reorder, { order: [] }).expect(409)).body.data.missing).to.have.length(3);
    expect(await order()).to.deep.equal(ids);
    expect(await host.audited('reorder')).to.deep.equal([]);
    const empty = await host.there.put(reorder, { order: [foreign] }).expect(200);
    expect(empty.body.sections).to.have.length(1);
  });

  it('must be a list of distinct integers', async () => {
    const [a, b, c] = ids;
    const wrong: unknown[] = [
      { 0: a, 1: b, 2: c },
      [String(a), b, c],
      [a, b, c, c],
      [a, b, 1.5],
      [a, b, null],
      [a, b, 2 ** 53],
      [[a], b, c],
      'abc',
      null,
      Array.from({ length: 5_001 }, (_none, at) => at + 1),
    ];
    for (const given of wrong) {
      const { body } = await host.editor.put(reorder, { order: given }).expect(400);
      expect(body.code, JSON.stringify(given)?.slice(0, 40)).to.equal('rest_invalid_param');
      expect(Object.keys(body.data.params)[0]).to.match(/^order/);
    }
    const nan = host.editor.put(reorder).set('Content-Type', 'application/json').send(`{"order":[NaN]}`);
    expect((await nan).status).to.equal(400);
    const missing = await host.editor.put(reorder, {}).expect(400);
    expect(missing.body.code).to.equal('rest_missing_callback_param');
    expect(missing.body.data.params).to.deep.equal(['order']);
    expect(await refusal(host.editor.put(`${reorder}?lang=`, { order: ids }))).to.equal('200 undefined');
  });

  it('is for editors of the site', async () => {
    expect(await refusal(host.lyceum.anonymous.put(reorder, { order: ids }))).to.equal('401 rest_forbidden');
    expect(await refusal(host.author.put(reorder, { order: ids }))).to.equal('403 rest_forbidden');
    expect(await refusal(host.there.put(reorder, { order: ids }))).to.equal('404 svccm_invalid_section_term');
  });

  it('is never a mixture of simultaneous requests, and the audit is one chain', async () => {
    for (let at = 0; at < 17; at += 1) await host.section(`More ${at}`);
    const all = await order();
    const wishes = Array.from({ length: 12 }, (_none, at) => [...all.slice(at), ...all.slice(0, at)]);
    const answers = await Promise.all(wishes.map((wish) => host.editor.put(reorder, { order: wish })));
    expect(answers.map(({ status }) => status)).to.deep.equal(wishes.map(() => 200));
    const end = await order();
    expect(wishes.map(String)).to.include(String(end));
    expect((await host.sections()).map((one) => one.order)).to.deep.equal(all.map((_id, at) => at + 1));
    const chain = await host.audited('reorder');
    for (const [at, { from }] of chain.entries()) {
      expect(from).to.deep.equal(at === 0 ? all : chain[at - 1]?.to);
    }
    expect(chain.at(-1)?.to).to.deep.equal(end);
  });

  it('goes together with sections that come and go, and with courses that are deleted', async () => {
    for (let round = 0; round < 8; round += 1) {
      const course = await host.record({ type: 'course' });
      const parent = await host.section(`Parent ${round}`);
      const child = await host.section(`Child ${round}`, { parent_id: parent });
      for (const id of [child, ids[0], parent]) {
        await host.editor.put(`${api}/sections/${id}/course`, { courseId: course }).expect(200);
      }
      const all = await order();
      const [sorted, made, deleted, gone] = await Promise.all([
        host.editor.put(reorder, { order: [...all].reverse() }),
        host.editor.post('svc/host/v1/terms', { taxonomy: 'course_section', name: 'New' }),
        host.editor.delete(`svc/host/v1/terms/${parent}`),
        host.editor.delete(`svc/host/v1/posts/${course}?force=true`),
      ]);
      expect(sorted.status).to.be.oneOf([200, 404, 409]);
      expect([made.status, deleted.status, gone.status]).to.deep.equal([201, 200, 200]);
      if (sorted.status === 200) {
        const now = await order();
        expect(now.at(-1), 'the new one is the last').to.equal(made.body.id);
        expect(now.slice(0, -1)).to.deep.equal([...all].reverse().filter((id) => id !== parent));
      }
    }
  });
});
