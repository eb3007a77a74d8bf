import { expect } from 'chai';
import { emptyPage, LocalKit, root } from './local-kit.ts';

interface Checked {
  readonly key: string;
  readonly valid: boolean;
  readonly hash: string;
  readonly problems: {
    readonly code: string;
    readonly severity: string;
    readonly pointer: string;
    readonly message: string;
  }[];
  readonly stats: { readonly bytes: number; readonly widget_types: Record<string, number> };
}

const widget = (id: string, widgetType: string, settings: object = {}) => ({
  ...{ id, elType: 'widget', widgetType, settings, elements: [] },
});
const container = (id: string, elements: object[] = [], settings: object = {}) => ({
  ...{ id, elType: 'container', settings, elements },
});

describe('local_sync: checking pages', () => {
  let kit: LocalKit;
  before(async () => {
    kit = await LocalKit.start();
  });
  after(() => kit.lyceum.stop());

  const check = async (pages: readonly object[], more: object = {}) =>
    (await kit.client.post(`${root}/validate`, { pages, ...more }).expect(200)).body as {
      valid: boolean;
      pages: Checked[];
    };
  const problems = async (content: unknown, more: object = {}, editor = 'pagebuilder') => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const { pages } = await check([{ key: 'a', content: text, editor }], more);
    return pages[0]?.problems.map(({ code, pointer }) => `${code} ${pointer}`.trim()) ?? [];
  };

  it('says all of a page, whatever is wrong with it', async () => {
    const content = JSON.stringify([
      container('abc1234', [widget('abc1234', 'heading'), widget('def5678', 'mine')]),
    ]);
    const { valid, pages } = await check([
      { key: 'a', content },
      { key: 'b', content: '[]' },
    ]);
    expect(valid).to.equal(false);
    expect(pages[0]).to.deep.include({ key: 'a', editor: 'pagebuilder', valid: false });
    expect(pages[0]?.problems.map(({ message: _message, ...one }) => one)).to.deep.equal([
      { code: 'pb_id_duplicate', severity: 'error', pointer: '/0/elements/0/id' },
      { code: 'pb_widget_unknown', severity: 'warning', pointer: '/0/elements/1/widgetType' },
    ]);
    expect(pages[0]?.stats).to.deep.equal({
      ...{ bytes: content.length, elements: 3, widgets: 2, depth: 2, widget_types: { heading: 1, mine: 1 } },
    });
    expect(pages[1]).to.deep.include({ valid: true, hash: emptyPage });
    expect((await check([{ key: 'b', content: '[]' }])).valid).to.equal(true);
  });

  it('tells where a column may not stand', async () => {
    const column = { id: 'abc1234', elType: 'column', settings: {}, elements: [] };
    expect(await problems([column])).to.deep.equal(['pb_nesting /0']);
  });

  it('asks for files only where it is told of them', async () => {
    const page = [container('abc1234', [], { a: [{ url: 'local://b c.png' }] })];
    expect(await problems(page)).to.deep.equal([]);
    expect(await problems(page, { files: [] })).to.deep.equal(['pb_local_ref /0/settings/a/0/url']);
    expect(await problems(page, { files: ['b c.png', '__proto__', 'a\0'] })).to.deep.equal([]);
    expect(await problems('x local://y', { files: ['z'] }, 'turbo')).to.deep.equal(['pb_local_ref']);
  });

  it('never fails for what a page holds', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const inside = `[{"id":"abc1234","elType":"container","elements":[],"settings":{"a":${deep}}}]`;
    for (const text of [deep, objects, inside]) expect(await problems(text)).to.deep.equal(['pb_depth']);
    expect(await problems('')).to.deep.equal(['pb_json']);
    expect(await problems('', {}, 'block')).to.deep.equal([]);
    expect(await problems('', {}, 'turbo')).to.deep.equal(['turbo_empty']);
    expect(await problems('x\0', {}, 'block')).to.deep.equal(['text_unstorable']);
    expect(await problems('["\ud800"]')).to.deep.equal(['text_unstorable', 'pb_element /0']);
    expect(await problems('{"__proto__":1}')).to.deep.equal(['pb_root']);
    const proto =
      '[{"id":"abc1234","elType":"widget","widgetType":"__proto__","settings":{"__proto__":1},"elements":[]}]';
    const { pages } = await check([{ key: '__proto__', content: proto }]);
    expect(pages[0]?.problems.map(({ code }) => code)).to.include('pb_widget_unknown');
    expect(JSON.stringify(pages[0]?.stats.widget_types)).to.equal('{"__proto__":1}');
    const large = `[${' '.repeat(5 * 1024 * 1024)}]`;
    expect(await problems(large)).to.deep.equal(['pb_size', 'pb_empty']);
  });

  it('knows the widgets of the site by its settings', async () => {
    await kit.lyceum.make.settings('local_sync', { known_widgets: ['mine'], nested_widgets: ['mine'] });
    const nested = { ...widget('abc1234', 'mine'), elements: [container('abc1235')] };
    expect(await problems([container('abc1236', [nested])])).to.deep.equal([]);
    expect(await problems([container('abc1236', [widget('abc1234', 'heading')])])).to.deep.equal([
      'pb_widget_unknown /0/elements/0/widgetType',
    ]);
    await kit.lyceum.make.settings('local_sync', { known_widgets: null, nested_widgets: null });
  });

  it('wants from 1 to 100 pages, each with a content', async () => {
    const send = (pages: unknown) => kit.client.post(`${root}/validate`, { pages });
    await send([]).expect(400);
    await send(Array.from({ length: 101 }, (_none, at) => ({ key: `k${at}`, content: '' }))).expect(400);
    for (const page of [
      { key: 'a' },
      { content: '' },
      { key: 'a', content: 5 },
      { key: 'a', content: '', editor: 'x' },
    ]) {
      expect((await send([page]).expect(400)).body.code).to.equal('rest_invalid_param');
    }
  });

  it('leaves no trace', async () => {
    expect(await kit.knex('local_projects')).to.deep.equal([]);
    expect(await kit.knex('posts').where({ type: 'page' })).to.have.length(0);
  });
});
