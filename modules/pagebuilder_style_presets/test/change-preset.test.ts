import { expect } from 'chai';
import { hashOfNothing, type PresetHost, presets, refusal, startWithPresets } from './lyceum.ts';

const exists = '409 style_presets_exists';

describe('pagebuilder_style_presets: changes of presets', () => {
  let host: PresetHost;
  beforeEach(async () => {
    host = await startWithPresets();
  });
  afterEach(() => host.lyceum.stop());

  const patch = (id: number | string, body: object) => host.contributor.patch(`${presets}/${id}`, body);

  it('are of the given fields, by every method that writes; slug and element stay', async () => {
    const before = await host.make({ name: 'Old', settings: { a: 1, b: { c: 1 } } });
    const { body } = await patch(before.id, {
      ...{ name: ' New ', settings: { b: { d: 2 } }, is_default: true },
      ...{ element_type: 'section', slug: 'x', hash: 'x', author_id: 99, id: 99 },
    }).expect(200);
    expect(body).to.deep.equal({
      ...before,
      name: 'New',
      settings: { b: { d: 2 } },
      is_default: true,
      hash: body.hash,
      modified_at: body.modified_at,
    });
    expect(body.hash).to.not.equal(before.hash);
    expect(await host.read(before.id)).to.deep.equal(body);
    for (const method of ['put', 'post'] as const) {
      const { body: again } = await host.contributor[method](`${presets}/${before.id}`, {
        name: method,
      }).expect(200);
      expect([again.name, again.settings]).to.deep.equal([method, { b: { d: 2 } }]);
    }
  });

  it('write nothing when there is nothing to change', async () => {
    const before = await host.make({ settings: { a: 1, b: 2 } });
    const row = () => host.lyceum.host.db.knex('style_presets').where({ id: before.id }).first('xmin');
    const version = await row();
    for (const body of [
      {},
      { settings: { b: 2, a: 1 } },
      { name: before.name, status: 'publish', is_default: false },
    ]) {
      expect((await patch(before.id, body).expect(200)).body).to.deep.equal(before);
    }
    expect(await row()).to.deep.equal(version);
  });

  it('of settings that somebody else changed are refused, unless they are what is stored', async () => {
    const { id, hash } = await host.make({ settings: { a: 1 } });
    const second = (await patch(id, { settings: { a: 2 }, base_hash: hash.toUpperCase() }).expect(200)).body;
    const { body } = await patch(id, { settings: { a: 3 }, base_hash: hash }).expect(409);
    expect(body.code).to.equal('style_presets_conflict');
    expect(body.data).to.deep.equal({
      status: 409,
      base_hash: hash,
      hash: second.hash,
      modified_at: second.modified_at,
    });
    expect(await refusal(patch(id, { name: 'x', base_hash: hash }))).to.equal('409 style_presets_conflict');
    expect((await patch(id, { settings: { a: 2 }, base_hash: hash }).expect(200)).body).to.deep.equal(second);
    await patch(id, { settings: {}, base_hash: second.hash }).expect(200);
    expect((await patch(id, { settings: { a: 4 } }).expect(200)).body.hash).to.not.equal(hashOfNothing);
  });

  it('with one base are one, however many come at once', async () => {
    const { id, hash } = await host.make();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_none, at) => patch(id, { settings: { at }, base_hash: hash })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(9).fill(409)]);
    const winner = answers.find(({ status }) => status === 200)?.body;
    expect(await host.read(id)).to.deep.equal(winner);
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect([body.code, body.data.hash]).to.deep.equal(['style_presets_conflict', winner.hash]);
    }
  });

  it('make one preset of an element the default', async () => {
    const [one, two] = [await host.make({ is_default: true }), await host.make()];
    const section = await host.make({ element_type: 'section', is_default: true });
    expect((await patch(two.id, { is_default: true }).expect(200)).body.is_default).to.equal(true);
    expect((await host.read(one.id)).is_default).to.equal(false);
    expect((await host.read(section.id)).is_default).to.equal(true);
    await patch(two.id, { is_default: false }).expect(200);
    expect(await host.names('?is_default=true&element_type=widget:heading')).to.deep.equal([]);
    const many = await Promise.all(Array.from({ length: 6 }, () => host.make()));
    const answers = await Promise.all(many.map(({ id }) => patch(id, { is_default: true })));
    expect(answers.map(({ status }) => status)).to.deep.equal(many.map(() => 200));
    expect(await host.names('?is_default=1&element_type=widget:heading')).to.have.length(1);
  });

  it('move presets to the trash and back, where the name may be taken', async () => {
    const { id } = await host.make({ name: 'Title', is_default: true });
    const trashed = (await patch(id, { status: 'trash' }).expect(200)).body;
    expect([trashed.status, trashed.is_default]).to.deep.equal(['trash', false]);
    expect((await host.read(id)).status).to.equal('trash');
    const other = await host.make({ name: 'TITLE' });
    expect(other.slug).to.equal('title-2');
    const taken = await patch(id, { status: 'publish' }).expect(409);
    expect([taken.body.code, taken.body.data.id]).to.deep.equal(['style_presets_exists', other.id]);
    expect((await patch(id, { name: 'Title', settings: { a: 1 } }).expect(200)).body.status).to.equal(
      'trash',
    );
    const back = (await patch(id, { status: 'publish', name: 'Other', is_default: true }).expect(200)).body;
    expect([back.status, back.name, back.is_default]).to.deep.equal(['publish', 'Other', true]);
    expect(await refusal(patch(id, { name: 'title' }))).to.equal(exists);
    expect((await patch(id, { name: 'OTHER' }).expect(200)).body.name, 'its own name').to.equal('OTHER');
    const both = await patch(id, { status: 'trash', is_default: true }).expect(400);
    expect(both.body.data.params).to.have.property('is_default');
    await patch(id, { status: 'trash' }).expect(200);
    expect((await patch(id, { is_default: true }).expect(400)).body.data.params).to.have.property(
      'is_default',
    );
  });

  it('of one name that come back at once are one', async () => {
    const made = [];
    for (let at = 0; at < 5; at += 1) {
      const preset = await host.make({ name: 'Title' });
      await patch(preset.id, { status: 'trash' }).expect(200);
      made.push(preset.id);
    }
    const answers = await Promise.all(made.map((id) => patch(id, { status: 'publish' })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409, 409]);
  });

  it('are refused when the body is wrong', async () => {
    const { id } = await host.make();
    const wrong: [string, unknown][] = [
      ...['', ' ', 'x'.repeat(101), null, 1].map((value): [string, unknown] => ['name', value]),
      ...[[], null, 'x'].map((value): [string, unknown] => ['settings', value]),
      ...['true', null, 0].map((value): [string, unknown] => ['is_default', value]),
      ...['any', 'draft', '', null].map((value): [string, unknown] => ['status', value]),
      ...['', 'x', 'a'.repeat(63), 'g'.repeat(64), null, 1].map((value): [string, unknown] => [
        'base_hash',
        value,
      ]),
    ];
    for (const [field, value] of wrong) {
      const { body } = await patch(id, { [field]: value }).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
      expect(body.data.params, `${field} ${JSON.stringify(value)}`).to.have.property(field);
    }
    const big = await patch(id, { settings: { a: 'x'.repeat(512 * 1024) } }).expect(413);
    expect(big.body.code).to.equal('rest_body_too_large');
  });

  it('are for who writes posts on the site', async () => {
    const { id } = await host.make({ name: 'Mine' });
    const route = `${presets}/${id}`;
    expect(await refusal(host.lyceum.anonymous.patch(route, { name: 'x' }))).to.equal('401 rest_forbidden');
    expect(await refusal(host.subscriber.patch(route, { name: 'x' }))).to.equal('403 rest_forbidden');
    expect(await refusal(host.there.patch(route, { name: 'x' }))).to.equal('404 style_presets_not_found');
    for (const unknown of [999_999, 0, 'x', '1.5', '9'.repeat(30)]) {
      expect(await refusal(patch(unknown, { name: 'x' }))).to.equal('404 style_presets_not_found');
    }
    expect((await host.read(id)).name).to.equal('Mine');
  });

  it('are no deletions', async () => {
    const { id } = await host.make();
    const answer = await host.contributor.delete(`${presets}/${id}`).expect(405);
    expect(answer.body.code).to.equal('rest_method_not_allowed');
    expect(answer.headers.allow).to.equal('GET, HEAD, PATCH, POST, PUT');
    await host.read(id);
  });
});
