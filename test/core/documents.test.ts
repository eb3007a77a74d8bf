import { expect } from 'chai';
import fc from 'fast-check';
import { documentHash, documentText, editorOf, projectedContent } from '../../core/content/document.ts';
import { htmlTokens } from '../../core/content/html-tokens.ts';
import { projectPagebuilder } from '../../core/content/project-pagebuilder.ts';
import { projectTurbo } from '../../core/content/project-turbo.ts';

const widget = (widgetType: string, settings: object) => ({
  id: 'a',
  elType: 'widget',
  widgetType,
  settings,
  elements: [],
});
const page = (...elements: unknown[]): string => JSON.stringify(elements);

describe('documents', () => {
  it('lie where their editor keeps them', () => {
    const meta = { pagebuilder_data: '[1]', turbo_html: '<p>' };
    expect(documentText({ content: 'c', meta })).to.equal('c');
    expect(documentText({ content: 'c', meta: { ...meta, editor: 'block' } })).to.equal('c');
    expect(documentText({ content: 'c', meta: { ...meta, editor: 'pagebuilder' } })).to.equal('[1]');
    expect(documentText({ content: 'c', meta: { ...meta, editor: 'turbo' } })).to.equal('<p>');
    expect(documentText({ content: 'c', meta: { editor: 'pagebuilder' } })).to.equal('[]');
    expect(documentText({ content: 'c', meta: { editor: 'turbo' } })).to.equal('');
    for (const editor of ['classic', '', 5, null, ['turbo']])
      expect(editorOf({ meta: { editor } })).to.equal('block');
  });

  it('are hashed as they are', () => {
    const known: readonly [string, string][] = [
      ['<p>Hello</p>', 'd0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900'],
      ['<p>Привет</p>', '48067031059db93981e0cc6bc9632c59ff075a360ae45b1888a34490d371c844'],
      ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      ['[]', '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
    ];
    for (const [text, hash] of known) expect(documentHash(text)).to.equal(hash);
    expect(documentHash('a\r\n')).not.to.equal(documentHash('a\n'));
  });

  it('are shown as readable HTML where they are not the content itself', () => {
    const before = { content: 'old', meta: { editor: 'turbo', turbo_html: '<p>a</p>' } };
    const to = (content: string, meta: object) =>
      projectedContent(before, { content, meta: { ...before.meta, ...meta } });
    expect(to('sent', {}), 'the document was not written').to.equal('sent');
    expect(to('sent', { turbo_html: '<p>b</p>' })).to.equal('<p>b</p>');
    expect(to('sent', { editor: 'block' })).to.equal('sent');
    expect(to('sent', { editor: 'pagebuilder' }), 'no document yet').to.equal('sent');
    expect(projectedContent(null, before)).to.equal('<p>a</p>');
  });

  describe('of the page builder', () => {
    it('show their widgets in document order', () => {
      const text = page(
        {
          elType: 'container',
          settings: {},
          elements: [
            widget('heading', { title: 'One', header_size: 'h1' }),
            {
              elType: 'container',
              settings: [],
              elements: [widget('heading', { title: 'Two', header_size: 'div' })],
            },
            widget('text-editor', { editor: '<p>Text <b>bold</b></p>' }),
          ],
        },
        widget('html', { html: '<i>raw</i>' }),
        widget('image', { image: { url: 'https://a.example/a.png?x=1&y="', alt: 'A <pic>' } }),
        widget('button', { text: 'Go', link: { url: 'https://a.example/' } }),
        widget('shortcode', { shortcode: '[form id="1"]' }),
        widget('video', { youtube_url: 'https://youtu.be/x' }),
        widget('video', { video_type: 'hosted', hosted_url: { url: '/v.mp4' } }),
        widget('icon-box', {
          title: 'Box',
          text: '',
          description: 'What',
          content: 'More',
          colour: 'red',
          size: 5,
        }),
      );
      expect(projectPagebuilder(text).split('\n')).to.deep.equal([
        '<h1>One</h1>',
        '<h2>Two</h2>',
        '<p>Text <b>bold</b></p>',
        '<i>raw</i>',
        '<img src="https://a.example/a.png?x=1&amp;y=&quot;" alt="A &lt;pic&gt;">',
        '<a href="https://a.example/">Go</a>',
        '[form id="1"]',
        '<a href="https://youtu.be/x">https://youtu.be/x</a>',
        '<a href="/v.mp4">/v.mp4</a>',
        '<p>Box</p>',
        '<p>What</p>',
        '<p>More</p>',
      ]);
    });

    it('show nothing where there is nothing to show, and fail on nothing', () => {
      for (const text of [
        '',
        '{',
        '{"a":1}',
        'null',
        '[]',
        '[null,5,[],{}]',
        page(widget('heading', {})),
        '[{"elType":"widget","settings":null}]',
      ]) {
        expect(projectPagebuilder(text), text).to.equal('');
      }
      fc.assert(fc.property(fc.json(), (text) => typeof projectPagebuilder(text) === 'string'));
    });

    it('are walked to any depth', () => {
      const deep = `${'[{"elements":'.repeat(50_000)}${page(widget('html', { html: 'end' }))}${'}]'.repeat(50_000)}`;
      expect(projectPagebuilder(deep)).to.equal('end');
    });
  });

  describe('of turbo', () => {
    it('show the inside of their body without script, style and template', () => {
      const html =
        '<!DOCTYPE html><html lang="en"><head><title>T</title><style>p{}</style></head>\n' +
        '<body class="a > b"><p>One &amp; <b>two</b></p><script>if (a < b) "</p>"</script>' +
        '<template><p>no <template>inner</template> no</p></template><STYLE>x</STYLE >\r\n<!-- kept --><p>end</p></body></html>';
      expect(projectTurbo(html)).to.equal('<p>One &amp; <b>two</b></p>\r\n<!-- kept --><p>end</p>');
    });

    it('are all body where none is marked', () => {
      expect(projectTurbo('<p title="<script>">ok</p>')).to.equal('<p title="<script>">ok</p>');
      expect(projectTurbo('a < b <script src=x>')).to.equal('a < b');
      expect(projectTurbo('<head><meta></head><p>x</p>')).to.equal('<p>x</p>');
      expect(projectTurbo('<template><p>open')).to.equal('');
      expect(projectTurbo('</template><p>x</p>')).to.equal('<p>x</p>');
    });

    it('are read without gaps, whatever they are', () => {
      const piece = fc.constantFrom(
        ...[
          '<',
          '>',
          '/',
          '!',
          '--',
          '"',
          "'",
          '=',
          ' ',
          'a',
          'script',
          'title',
          '</script>',
          '<p>',
          '<!--',
          '-->',
          '?',
          '\r\n',
          'я',
        ],
      );
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
          const html = pieces.join('');
          let at = 0;
          for (const { from, to } of htmlTokens(html)) {
            expect(from).to.equal(at);
            expect(to).to.be.greaterThan(from);
            at = to;
          }
          expect(at).to.equal(html.length);
        }),
        { numRuns: 2_000 },
      );
    });

    it('cost time in proportion to their length, however hostile', () => {
      const seeds = [
        '<',
        '</',
        '<!--',
        '<a "',
        '<a b="',
        '<a =',
        '<script>',
        '<div>',
        '<p a b c ',
        '<template>',
        '</script',
        '<a/',
      ];
      const time = (length: number, seed: string): number => {
        const html = seed.repeat(Math.ceil(length / seed.length));
        const started = performance.now();
        projectTurbo(html);
        return performance.now() - started;
      };
      for (const seed of seeds) expect(time(1_000_000, seed), seed).to.be.below(2_000);
      const attributes = Array.from({ length: 100_000 }, (_none, index) => `a${index}`).join(' ');
      expect(time(1, `<p ${attributes}>`)).to.be.below(2_000);
    });
  });
});
