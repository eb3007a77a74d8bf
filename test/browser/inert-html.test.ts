import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { inertHtml } from '../../core/content/rendering/inert-html.ts';
import { openBrowser } from './browser.ts';

const samples = 800;
const longest = 14;

const names =
  'svg math style title template noscript textarea select table tr td p b a form button foreignObject desc mtext mi ' +
  'mglyph malignmark annotation-xml xmp iframe noembed noframes plaintext script option body html frameset';
const pieces = [
  ...names.split(' ').flatMap((name) => [`<${name}>`, `</${name}>`]),
  ...[
    '<img src=x onerror=ran()>',
    '<svg onload=ran()>',
    '<a href="javascript:ran()">',
    "<a title='",
    '<p id="',
  ],
  ...[
    '"',
    "'",
    '>',
    '<',
    '<!--',
    '-->',
    '--!>',
    '<![CDATA[',
    ']]>',
    '&lt;img src=x onerror=ran()&gt;',
    '<?x',
    '</',
  ],
  ...[
    '<style><img src=x onerror=ran()></style>',
    '<!-- --!><img src=x onerror=ran()>',
    '<script>ran()</script>',
  ],
  ...[
    '<a href="java&#x0a;script:ran()">',
    '<a xlink:href="javascript:ran()">',
    '<annotation-xml encoding="text/html">',
  ],
  ...[
    '<iframe srcdoc="<script>parent.ran()</script>">',
    '<math><mtext><table><mglyph><style>',
    ' x',
    '\u0000',
    '/',
  ],
];

/** The same numbers each time, so that what fails can be looked at. */
function* numbers(): Generator<number, never> {
  for (let state = 12345; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state / 2 ** 32;
  }
}

// As text, because these names are the browser's and not this program's. Each sample is a document in which scripts run.
const lookAtAll = `async (documents) => {
  const bad = [];
  const isBad = (element) => element.localName === 'script' ||
    [...element.attributes].some(({ name, value }) =>
      name.startsWith('on') || (/href|src|action|data/.test(name) && /^[\\s\\0-\\x20]*javascript:/i.test(value)));
  const within = (root) => [...root.querySelectorAll('*')].flatMap((element) =>
    [element, ...(element.content ? within(element.content) : [])]);
  for (const [index, html] of documents.entries()) {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    frame.contentWindow.ran = () => bad.push([index, 'ran']);
    window.ran = () => bad.push([index, 'ran in a frame']);
    const inside = frame.contentDocument;
    inside.open();
    inside.write('<!doctype html><body><main>' + html + '</main>');
    inside.close();
    if (within(inside).some(isBad)) bad.push([index, inside.documentElement.outerHTML]);
    await new Promise((resolve) => setTimeout(resolve));
    frame.remove();
  }
  return bad;
}`;

describe('inert HTML in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
    await page.route('**/*', (route) => route.abort());
  });
  after(() => browser.close());

  const look = async (documents: readonly string[]): Promise<[number, string][]> =>
    (await page.evaluate(`(${lookAtAll})(${JSON.stringify(documents)})`)) as [number, string][];

  it('has nothing that runs, however it was put together', async () => {
    const random = numbers();
    const below = (most: number): number => Math.floor(random.next().value * most);
    const given = Array.from({ length: samples }, () =>
      Array.from({ length: 1 + below(longest) }, () => pieces[below(pieces.length)]).join(''),
    );
    const bad = await look(given.map(inertHtml));
    expect(bad.slice(0, 3).map(([index, html]) => [given[index], html])).to.deep.equal([]);
    // The same look finds what was not made inert.
    expect(await look(given.slice(0, 200))).to.have.length.greaterThan(50);
  });
});
