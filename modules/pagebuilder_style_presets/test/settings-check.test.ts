import { expect } from 'chai';
import { settingsFault } from '../settings-fault.ts';
import { type PresetHost, presets, startWithPresets } from './lyceum.ts';

/** Settings of so many levels. */
const nested = (levels: number): object => {
  let value: object = {};
  for (let level = 1; level < levels; level += 1) value = level % 2 ? { a: value } : { a: 1, b: value };
  return value;
};

const withKeys = (many: number): object =>
  Object.fromEntries(Array.from({ length: many }, (_none, at) => [`k${at}`, 1]));

describe('pagebuilder_style_presets: the check of settings', () => {
  it('lets through what the page builder writes', () => {
    const good: object[] = [
      {},
      { link: { url: 'https://example.test/?a=javascript:x', is_external: '', custom_attributes: 'a|b' } },
      { text: 'About javascript: and data:text/html' },
      { image: { url: 'data:image/png;base64,AAAA', id: 5 } },
      {
        list: [
          { _id: 'a1', text: null },
          { _id: 'b2', on: true },
        ],
      },
      { __globals__: { title_color: 'globals/colors?id=primary' } },
      nested(20),
      withKeys(2_000),
      { ['k'.repeat(100)]: 'x' },
      { text: 'x'.repeat(256 * 1024 - 11) },
    ];
    for (const settings of good) expect(settingsFault(settings)).to.equal(null);
  });

  it('names the first fault', () => {
    const bad: [object, RegExp][] = [
      [nested(21), /20 levels/],
      [withKeys(2_001), /2000 keys/],
      [{ list: Array.from({ length: 2_001 }, () => ({ a: 1 })) }, /2000 keys/],
      [{ '': 1 }, /keys of 1 to 100/],
      [{ a: { ['k'.repeat(101)]: 1 } }, /keys of 1 to 100/],
      [{ text: 'x'.repeat(256 * 1024) }, /262144 bytes/],
      [{ text: 'ж'.repeat(128 * 1024) }, /262144 bytes/],
      [JSON.parse('{"a":{"__proto__":{"b":1}}}'), /key __proto__/],
      [{ a: [{ prototype: 1 }] }, /key prototype/],
      [JSON.parse('{"constructor":1}'), /key constructor/],
      [{ link: { url: ' JavaScript:alert(1)' } }, /^link\.url must not begin/],
      [{ a: ['x', 'java\tscript:alert(1)'] }, /^a\.1 must not begin/],
      [{ a: '\u0001\u0085 v b s c r i p t : x' }, /must not begin/],
      [{ a: 'DATA:Text/HTML,<script>' }, /must not begin/],
      [{ 'javascript:x': 1 }, /key that must not begin/],
    ];
    for (const [settings, fault] of bad) expect(settingsFault(settings)).to.match(fault);
  });

  it('needs time by the size alone, and no depth of the stack', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`);
    expect(settingsFault(deep)).to.match(/20 levels/);
    const wide = { list: Array.from({ length: 200_000 }, () => []) };
    const blank = { a: ' '.repeat(250_000) };
    const began = performance.now();
    expect(settingsFault(wide)).to.match(/bytes/);
    expect(settingsFault(blank)).to.equal(null);
    expect(performance.now() - began).to.be.below(2_000);
  });

  describe('over HTTP', () => {
    let host: PresetHost;
    before(async () => {
      host = await startWithPresets();
    });
    after(() => host.lyceum.stop());

    it('refuses new and changed settings alike', async () => {
      const { id } = await host.make({ settings: { a: 1 } });
      const bad = [
        '{"link":{"url":" JavaScript:alert(1)"}}',
        '{"__proto__":{"a":1}}',
        '{"a":{"constructor":1}}',
        JSON.stringify(nested(21)),
        JSON.stringify(withKeys(2_001)),
      ];
      for (const settings of bad) {
        const sent = (answer: ReturnType<typeof host.contributor.post>, body: string) =>
          answer.set('Content-Type', 'application/json').send(body).expect(400);
        const start = '{"name":"x","element_type":"section","settings":';
        for (const { body } of [
          await sent(host.contributor.post(presets), `${start}${settings}}`),
          await sent(host.contributor.patch(`${presets}/${id}`), `{"settings":${settings}}`),
        ]) {
          expect(body.code).to.equal('rest_invalid_param');
          expect(body.data.params).to.have.property('settings');
        }
      }
      expect((await host.read(id)).settings).to.deep.equal({ a: 1 });
    });
  });
});
