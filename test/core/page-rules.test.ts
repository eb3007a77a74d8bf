import { expect } from 'chai';
import { checkPagebuilder } from '../../core/content/page-rules/check-pagebuilder.ts';
import { standardWidgets } from '../../core/content/page-rules/widget-words.ts';

let last = 0;
const id = (): string => {
  last += 1;
  return `e${String(last).padStart(6, '0')}`;
};
const element = (elType: string, elements: unknown[] = [], more: object = {}) => ({
  id: id(),
  elType,
  settings: {},
  elements,
  ...more,
});
const widget = (widgetType: string, settings: unknown = {}, elements: unknown[] = []) =>
  element('widget', elements, { widgetType, settings });
const container = (...elements: unknown[]) => element('container', elements);
const reportOf = (page: unknown) => checkPagebuilder(JSON.stringify(page), standardWidgets);
const told = (page: unknown): string[] =>
  reportOf(page).problems.map(({ code, pointer }) => `${code} ${pointer}`);

describe('rules of page-builder documents', () => {
  it('find nothing in a right page, and count what it is made of', () => {
    const page = [
      container(widget('heading', { title: 'A' }), container(widget('image', { image: { alt: 'A dog' } }))),
      element('section', [element('column', [widget('heading'), element('section', [], { isInner: true })])]),
      container(
        widget('nested-tabs', {}, [container(widget('button', { link: { url: 'https://a.example' } }))]),
      ),
    ];
    const { valid, problems, stats } = reportOf(page);
    expect([valid, problems]).to.deep.equal([true, []]);
    expect(stats).to.deep.equal({
      bytes: Buffer.byteLength(JSON.stringify(page)),
      elements: 12,
      widgets: 5,
      depth: 4,
      widget_types: { heading: 2, image: 1, 'nested-tabs': 1, button: 1 },
    });
  });

  it('name what is no page at all', () => {
    const codes = (text: string) => checkPagebuilder(text, standardWidgets).problems.map(({ code }) => code);
    expect(codes('{')).to.deep.equal(['pb_json']);
    expect(codes('')).to.deep.equal(['pb_json']);
    for (const text of ['{"a":1}', '"x"', 'null', '5']) expect(codes(text)).to.deep.equal(['pb_root']);
    expect(codes('[]')).to.deep.equal(['pb_empty']);
    expect(checkPagebuilder('[]', standardWidgets).valid).to.equal(true);
    expect(codes(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).to.deep.equal(['pb_depth']);
    expect(codes(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).to.deep.equal(['pb_depth']);
    expect(codes(`["${'[\\"'.repeat(1_000)}"]`), 'brackets in a text').to.deep.equal(['pb_element']);
  });

  it('name every fault of an element with its place', () => {
    expect(told([5, null, [], 'x'])).to.deep.equal([0, 1, 2, 3].map((at) => `pb_element /${at}`));
    expect(told([{ id: 'abcdefg', elType: 'container' }])).to.deep.equal(['pb_element /0']);
    expect(told([element('container', [], { elements: {} })])).to.deep.equal(['pb_element /0/elements']);
    for (const wrong of ['abc', 'ABCDEFG', 'a'.repeat(13), 'abc def', 5, null]) {
      expect(told([element('container', [], { id: wrong })])).to.deep.equal(['pb_id /0/id']);
    }
    expect(told([element('row')])).to.deep.equal(['pb_eltype /0/elType']);
    for (const wrong of [null, 5, 'x', [1]]) {
      expect(told([element('container', [], { settings: wrong })])).to.deep.equal([
        'pb_settings /0/settings',
      ]);
    }
    expect(told([element('container', [], { settings: [] })])).to.deep.equal([]);
  });

  it('tell the second of two equal ids', () => {
    const twice = [
      container({ ...widget('heading'), id: 'abc1234' }, { ...widget('heading'), id: 'abc1234' }),
    ];
    expect(told(twice)).to.deep.equal(['pb_id_duplicate /0/elements/1/id']);
  });

  it('know what may stand in what', () => {
    const wrong: readonly (readonly [unknown[], string])[] = [
      [[element('column')], '/0'],
      [[widget('heading')], '/0'],
      [[element('section', [widget('heading')])], '/0/elements/0'],
      [[element('section', [element('section')])], '/0/elements/0'],
      [[element('section', [element('column', [element('column')])])], '/0/elements/0/elements/0'],
      [[element('section', [element('column', [element('section')])])], '/0/elements/0/elements/0'],
      [[container(element('section'))], '/0/elements/0'],
      [[container(element('column'))], '/0/elements/0'],
      [[container(widget('heading', {}, [container()]))], '/0/elements/0/elements'],
      [[container(widget('nested-tabs', {}, [widget('heading')]))], '/0/elements/0/elements/0'],
    ];
    for (const [page, pointer] of wrong) expect(told(page)).to.deep.equal([`pb_nesting ${pointer}`]);
  });

  it('know widgets by their types', () => {
    expect(told([container(widget('Heading'))])).to.deep.equal(['pb_widget_type /0/elements/0/widgetType']);
    expect(told([container(element('widget'))])).to.deep.equal(['pb_widget_type /0/elements/0']);
    expect(told([element('container', [], { widgetType: 'heading' })])).to.deep.equal([
      'pb_widget_type /0/widgetType',
    ]);
    const { valid, problems } = reportOf([container(widget('mega-menu'))]);
    expect([valid, problems[0]?.code, problems[0]?.severity]).to.deep.equal([
      true,
      'pb_widget_unknown',
      'warning',
    ]);
    expect(reportOf([container(widget('__proto__'))]).stats.widget_types).to.have.own.property('__proto__');
  });

  it('find addresses that would run, in any spelling', () => {
    const at = '/0/elements/0/settings/link/url';
    for (const url of [
      'javascript:alert(1)',
      ' \u0000Java\tScript\n:alert(1)',
      'VBSCRIPT:x',
      'data:text/html,<b>',
      '\u00a0javascript:x',
    ]) {
      expect(told([container(widget('button', { link: { url } }))]), url).to.deep.equal([
        `pb_unsafe_url ${at}`,
      ]);
    }
    for (const url of ['https://a.example/javascript:', 'data:image/png;base64,AA', '/javascript', '']) {
      expect(told([container(widget('button', { link: { url } }))]), url).to.deep.equal([]);
    }
    const list = { 'a/b~': [{ href: 'javascript:1' }] };
    expect(told([container(widget('button', list))])).to.deep.equal([
      'pb_unsafe_url /0/elements/0/settings/a~1b~0/0/href',
    ]);
  });

  it('warn of scripts outside of html widgets, and of images without words', () => {
    const text = { editor: '<p><SCRIPT>1</script>' };
    expect(told([container(widget('text-editor', text))])).to.deep.equal([
      'pb_script /0/elements/0/settings/editor',
    ]);
    expect(told([container(widget('html', { html: '<script>1</script>' }))])).to.deep.equal([]);
    expect(told([container(widget('image', { image: { url: 'x.png', alt: ' ' } }))])).to.deep.equal([
      'pb_image_alt /0/elements/0/settings',
    ]);
    expect(reportOf([container(widget('image'))]).valid).to.equal(true);
  });

  it('bound depth and number', () => {
    let page: unknown = container();
    for (let level = 2; level <= 31; level += 1) page = container(page);
    expect(told([page])).to.deep.equal([`pb_depth /0${'/elements/0'.repeat(30)}`]);
    const { problems, stats } = reportOf(Array.from({ length: 5_001 }, () => container()));
    expect([stats.elements, problems.map(({ code }) => code)]).to.deep.equal([5_001, ['pb_count']]);
  });

  it('tell at most 100 problems, in the order of their places, and stay quick with millions', () => {
    const page = Array.from({ length: 300 }, (_none, at) => ({ ...container(), id: `x${at}` }));
    const { problems, valid } = reportOf(page);
    expect(problems.map(({ pointer }) => pointer)).to.deep.equal(
      Array.from({ length: 100 }, (_none, at) => `/${at}/id`),
    );
    expect(valid).to.equal(false);
    for (const hostile of [
      `[${'1,'.repeat(2_000_000)}1]`,
      JSON.stringify([container(widget('button', { url: ' '.repeat(5_000_000) }))]),
      JSON.stringify([
        container(
          widget('button', {
            [`k${'k'.repeat(2_000_000)}`]: Array.from({ length: 100 }, () => ({ url: 'javascript:1' })),
          }),
        ),
      ]),
    ]) {
      const began = performance.now();
      const report = checkPagebuilder(hostile, standardWidgets);
      expect(performance.now() - began).to.be.below(5_000);
      expect(JSON.stringify(report.problems).length).to.be.below(200_000);
    }
  });
});
