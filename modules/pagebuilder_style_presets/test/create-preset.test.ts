import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { hashOfNothing, type PresetHost, presets, refusal, startWithPresets } from './lyceum.ts';

describe('pagebuilder_style_presets: new presets', () => {
  let host: PresetHost;
  beforeEach(async () => {
    host = await startWithPresets();
  });
  afterEach(() => host.lyceum.stop());

  const post = (body: object) => host.contributor.post(presets, body);
  const heading = { name: 'Big title', element_type: 'widget:heading', settings: {} };

  it('are answered as they are stored, with their address', async () => {
    const settings = { title_color: '#112233', typography_font_size: { unit: 'px', size: 40 } };
    const { body, headers } = await post({ ...heading, name: '  Big title ', settings }).expect(201);
    const { created_at, hash, id, author_id, ...rest } = body;
    expect(rest).to.deep.equal({
      name: 'Big title',
      slug: 'big-title',
      element_type: 'widget:heading',
      settings,
      is_default: false,
      status: 'publish',
      modified_at: created_at,
    });
    expect(hash).to.match(/^[0-9a-f]{64}$/);
    expect(headers.location).to.match(new RegExp(`/api/${presets}/${id}$`));
    expect(await host.read(id)).to.deep.equal(body);
    const owner = await host.lyceum.host.db.knex('users').where({ id: author_id }).first('login');
    expect(owner).to.not.equal(undefined);
  });

  it('have the hash of their settings, whatever the order of the keys', async () => {
    expect((await host.make()).hash).to.equal(hashOfNothing);
    const one = await host.make({ settings: { b: 1, a: { d: [1, 2], c: 'ö' } } });
    const other = await host.make({ settings: { a: { c: 'ö', d: [1, 2] }, b: 1 } });
    expect(one.hash).to.equal(other.hash);
    expect((await host.make({ settings: { a: { c: 'ö', d: [2, 1] }, b: 1 } })).hash).to.not.equal(one.hash);
    // Each number is written in one way.
    const numbers = await host.make({ settings: { n: [1 / 3, 1e30, 4.5, 2e-3, 1e-27, -0] } });
    const canonical = '{"n":[0.3333333333333333,1e+30,4.5,0.002,1e-27,0]}';
    expect(numbers.hash).to.equal(createHash('sha256').update(canonical).digest('hex'));
    expect((await host.read(numbers.id)).hash).to.equal(numbers.hash);
  });

  it('share no name with a published one for the same element, in any case', async () => {
    const first = await host.make({ name: 'Große Überschrift' });
    for (const name of ['GROßE ÜBERSCHRIFT', ' große überschrift ', 'Große U\u0308berschrift']) {
      const { body } = await post({ ...heading, name }).expect(409);
      expect(body.code).to.equal('style_presets_exists');
      expect(body.data).to.deep.equal({ status: 409, id: first.id });
    }
    await post({ ...heading, name: 'Große Überschrift', element_type: 'section' }).expect(201);
    const { body } = await host.there.post(presets, { ...heading, name: 'Große Überschrift' }).expect(201);
    expect(body.slug).to.equal(first.slug);
  });

  it('have slugs of their own on the site', async () => {
    const slugs = [];
    for (const element_type of ['section', 'column', 'container']) {
      slugs.push((await host.make({ name: 'Тёмный', element_type })).slug);
    }
    expect(slugs).to.deep.equal(['tyomnyy', 'tyomnyy-2', 'tyomnyy-3']);
    expect((await host.make({ name: '★' })).slug).to.equal('preset');
  });

  it('are refused when the body is wrong', async () => {
    const missing = await post({}).expect(400);
    expect([missing.body.code, missing.body.data.params]).to.deep.equal([
      'rest_missing_callback_param',
      ['name', 'element_type', 'settings'],
    ]);
    const wrong: [string, unknown][] = [
      ...['', '   ', 'x'.repeat(101), 1, null, 'a\0', ['x']].map((value): [string, unknown] => [
        'name',
        value,
      ]),
      ...[
        '',
        'Section',
        'widget',
        'widget:',
        'widget:A',
        'widget:a b',
        `widget:${'a'.repeat(65)}`,
        'row',
        null,
        1,
      ].map((value): [string, unknown] => ['element_type', value]),
      ...[[], 'text', null, 1, true].map((value): [string, unknown] => ['settings', value]),
      ...['true', 1, null].map((value): [string, unknown] => ['is_default', value]),
    ];
    for (const [field, value] of wrong) {
      const { body } = await post({ ...heading, [field]: value }).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
      expect(body.data.params, `${field} ${JSON.stringify(value)}`).to.have.property(field);
    }
    await post({ ...heading, name: `  ${'x'.repeat(100)}  ` }).expect(201);
    await post({ ...heading, element_type: `widget:${'a'.repeat(64)}` }).expect(201);
    const big = await post({ ...heading, settings: { a: 'x'.repeat(512 * 1024) } }).expect(413);
    expect(big.body.code).to.equal('rest_body_too_large');
  });

  it('may have markup in their names, which stays text', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const { id } = await host.make({ name });
    expect((await host.read(id)).name).to.equal(name);
  });

  it('are as many as the site allows, those in the trash not counted', async () => {
    await host.lyceum.make.settings('pagebuilder_style_presets', { max_presets: 2 });
    const [first] = [await host.make(), await host.make()];
    expect(await refusal(post(heading))).to.equal('409 style_presets_limit');
    await host.there.post(presets, heading).expect(201);
    await host.contributor.patch(`${presets}/${first.id}`, { status: 'trash' }).expect(200);
    await post(heading).expect(201);
    expect(await refusal(host.contributor.patch(`${presets}/${first.id}`, { status: 'publish' }))).to.equal(
      '409 style_presets_limit',
    );
  });

  it('are for who writes posts on the site', async () => {
    expect(await refusal(host.lyceum.anonymous.post(presets, heading))).to.equal('401 rest_forbidden');
    expect(await refusal(host.subscriber.post(presets, heading))).to.equal('403 rest_forbidden');
    const stranger = host.lyceum.as(
      await host.lyceum.make.user({ role: 'administrator', site: host.other.blog_id }),
    );
    expect(await refusal(stranger.post(presets, heading))).to.equal('403 rest_forbidden');
  });

  it('of one name are one, of one element have one default, and fill the site to its limit, however many at once', async () => {
    const ten = Array.from({ length: 10 }, (_none, at) => at);
    const same = await Promise.all(ten.map(() => post(heading)));
    expect(same.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(9).fill(409)]);
    const winner = same.find(({ status }) => status === 201)?.body.id;
    for (const { body } of same.filter(({ status }) => status === 409)) {
      expect([body.code, body.data.id]).to.deep.equal(['style_presets_exists', winner]);
    }
    const defaults = await Promise.all(
      ten.map((at) => post({ ...heading, name: `Default ${at}`, is_default: true })),
    );
    expect(defaults.map(({ status }) => status)).to.deep.equal(Array(10).fill(201));
    expect(await host.names('?is_default=true')).to.have.length(1);
    await host.lyceum.make.settings('pagebuilder_style_presets', { max_presets: 14 });
    const many = await Promise.all(ten.map((at) => post({ ...heading, name: `Many ${at}` })));
    expect(many.filter(({ status }) => status === 201)).to.have.length(3);
    const slugs = await Promise.all(
      ['section', 'column', 'container'].map((element_type) =>
        host.there.post(presets, { ...heading, element_type }),
      ),
    );
    expect(slugs.map(({ body }) => body.slug).sort()).to.deep.equal([
      'big-title',
      'big-title-2',
      'big-title-3',
    ]);
  });
});
