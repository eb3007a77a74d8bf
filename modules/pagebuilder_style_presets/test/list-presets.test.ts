import { countStatements } from '@lyceum/core/testing';
import { expect } from 'chai';
import { type PresetHost, presets, refusal, startWithPresets } from './lyceum.ts';

describe('pagebuilder_style_presets: reading presets', () => {
  let host: PresetHost;
  before(async () => {
    host = await startWithPresets();
    const { make, contributor } = host;
    await make({ name: 'Zebra' });
    await make({ name: 'apple', element_type: 'section', is_default: true });
    await make({ name: 'Ёлка', element_type: 'section' });
    await make({ name: '100% wide_' });
    const { id } = await make({ name: 'Gone' });
    await contributor.patch(`${presets}/${id}`, { status: 'trash' }).expect(200);
    await host.there.post(presets, { name: 'There', element_type: 'section', settings: {} }).expect(201);
  });
  after(() => host.lyceum.stop());

  it('is by name, without the trash and other sites', async () => {
    expect(await host.names()).to.deep.equal(['100% wide_', 'apple', 'Zebra', 'Ёлка']);
    expect(await host.names('?order=desc')).to.deep.equal(['Ёлка', 'Zebra', 'apple', '100% wide_']);
    expect((await host.there.get(presets).expect(200)).body).to.have.length(1);
  });

  it('may be of an element, a status, defaults, a part of the name, in another order', async () => {
    const { names } = host;
    expect(await names('?element_type=section')).to.deep.equal(['apple', 'Ёлка']);
    expect(await names('?element_type=widget:none')).to.deep.equal([]);
    expect(await names('?status=trash')).to.deep.equal(['Gone']);
    expect(await names('?status=any')).to.have.length(5);
    expect(await names('?is_default=true')).to.deep.equal(['apple']);
    expect(await names('?is_default=false')).to.have.length(3);
    expect(await names('?search=PPL')).to.deep.equal(['apple']);
    expect(await names(`?search=${encodeURIComponent('ёл')}`)).to.deep.equal(['Ёлка']);
    expect(await names('?search=%25')).to.deep.equal(['100% wide_']);
    expect(await names('?search=_')).to.deep.equal(['100% wide_']);
    expect(await names('?orderby=created_at')).to.deep.equal(['Zebra', 'apple', 'Ёлка', '100% wide_']);
    expect(await names('?orderby=modified_at&order=desc&status=any&per_page=1')).to.deep.equal(['Gone']);
  });

  it('comes in pages', async () => {
    const { body, headers } = await host.contributor.get(`${presets}?per_page=3&page=2`).expect(200);
    expect(body.map(({ name }: { name: string }) => name)).to.deep.equal(['Ёлка']);
    expect([headers['x-svc-total'], headers['x-svc-totalpages']]).to.deep.equal(['4', '2']);
    expect(headers.link).to.include('rel="prev"');
  });

  it('refuses words that it does not know', async () => {
    const wrong = ['status=draft', 'status=', 'orderby=id', 'orderby=name;', 'order=up', 'is_default=yes'];
    wrong.push(
      'element_type=row',
      'element_type=Section',
      'page=0',
      'per_page=101',
      `search=${'x'.repeat(201)}`,
    );
    for (const query of wrong) {
      expect(await refusal(host.contributor.get(`${presets}?${query}`)), query).to.equal(
        '400 rest_invalid_param',
      );
    }
  });

  it('is for who writes posts on the site', async () => {
    const [first] = (await host.contributor.get(presets).expect(200)).body;
    for (const route of [presets, `${presets}/${first.id}`]) {
      expect(await refusal(host.lyceum.anonymous.get(route))).to.equal('401 rest_forbidden');
      expect(await refusal(host.subscriber.get(route))).to.equal('403 rest_forbidden');
    }
    expect(await refusal(host.there.get(`${presets}/${first.id}`))).to.equal('404 style_presets_not_found');
    for (const id of [999_999, 0, 'x', '9'.repeat(30)]) {
      expect(await refusal(host.contributor.get(`${presets}/${id}`)), String(id)).to.equal(
        '404 style_presets_not_found',
      );
    }
  });

  it('has an ETag', async () => {
    const { headers } = await host.contributor.get(presets).expect(200);
    await host.contributor
      .get(presets)
      .set('If-None-Match', headers.etag as string)
      .expect(304);
  });

  it('costs as many queries for a hundred as for one', async () => {
    const few = await countStatements(() => host.there.get(presets).expect(200));
    for (let at = 0; at < 30; at += 1) await host.make({ element_type: 'column' });
    expect(await countStatements(() => host.contributor.get(`${presets}?per_page=100`).expect(200))).to.equal(
      few,
    );
  });
});
