import { expect } from 'chai';
import { checkPage } from '../../core/content/page-rules/check-page.ts';
import { pathsNamed, resolveLocal, type TextForm } from '../../core/content/page-rules/local-references.ts';
import { standardWidgets } from '../../core/content/page-rules/widget-words.ts';
import { cpuMs } from '../kit/cpu-time.ts';

const files = new Set(['a.png', 'assets/my photo (1).png', 'img/ä.svg', 'doc#1.pdf', '__proto__']);
const address = (path: string): string | null => (files.has(path) ? `/f/${encodeURIComponent(path)}` : null);
const resolved = (text: string, form: TextForm = 'plain'): string => resolveLocal(text, form, address).text;
const unknown = (text: string): readonly string[] => resolveLocal(text, 'plain', address).unknown;

describe('files that a text names by local://', () => {
  it('are found wherever an address may end', () => {
    expect(resolved('<img src="local://a.png">')).to.equal('<img src="/f/a.png">');
    expect(resolved("url('local://a.png'), url(local://a.png)")).to.equal("url('/f/a.png'), url(/f/a.png)");
    expect(resolved('local://a.png 1x, local://a.png 2x')).to.equal('/f/a.png 1x, /f/a.png 2x');
    expect(resolved('See local://a.png. Or local://a.png?v=1#x')).to.equal('See /f/a.png. Or /f/a.png?v=1#x');
    expect(resolved('{&quot;u&quot;:&quot;local://a.png&quot;}')).to.equal(
      '{&quot;u&quot;:&quot;/f/a.png&quot;}',
    );
    expect(resolved('local://__proto__')).to.equal('/f/__proto__');
  });

  it('may have blanks and signs in their names where they fill their quotes, as they are or encoded', () => {
    expect(resolved('"local://assets/my photo (1).png"')).to.equal('"/f/assets%2Fmy%20photo%20(1).png"');
    expect(resolved('local://assets/my%20photo%20%281%29.png')).to.equal('/f/assets%2Fmy%20photo%20(1).png');
    expect(resolved("'local://doc#1.pdf'")).to.equal("'/f/doc%231.pdf'");
    expect(resolved('local://%zz')).to.equal('local://%zz');
  });

  it('are found in JSON as it is written, escapes and all, and nothing else changes', () => {
    expect(resolved('{"u":"local:\\/\\/a.png","x":"\\u00e9 "}', 'json')).to.equal(
      '{"u":"/f/a.png","x":"\\u00e9 "}',
    );
    expect(resolved('["local://img/\\u00e4.svg"]', 'json')).to.equal('["/f/img%2F%C3%A4.svg"]');
    expect(resolved('["<img src=\\"local://a.png\\">\\n"]', 'json')).to.equal(
      '["<img src=\\"/f/a.png\\">\\n"]',
    );
    expect(resolved('["local://a.png\\u0022>"]', 'json')).to.equal('["/f/a.png\\u0022>"]');
    expect(resolved('["local://a.png\\', 'json')).to.equal('["/f/a.png\\');
  });

  it('that nobody knows stay, and are told as they were meant', () => {
    expect(resolved('"local://b.png"')).to.equal('"local://b.png"');
    expect(unknown('local://b.png, local://a.pngx local:// local://local://a.png')).to.deep.equal([
      ...['b.png', 'a.pngx', '', 'local'],
    ]);
    expect([...pathsNamed('"local://b c.png"', 'plain')]).to.deep.equal(['b c.png', 'b']);
  });

  it('cost no more than the text is long', () => {
    const parts = ['local://', 'local://a', `local://${'a('.repeat(120)}`, `local://${'%41'.repeat(80)}`];
    for (const part of [...parts, `local:${'\\/'.repeat(2)}${'\\u0041'.repeat(250)}`]) {
      const cost = (bytes: number): number =>
        cpuMs(() => {
          resolveLocal(part.repeat(Math.floor(bytes / part.length)), 'json', address);
        });
      cost(500_000);
      const [small, large] = [cost(1_000_000), cost(4_000_000)];
      expect(large, `${part.slice(0, 20)}: ${small} ms`).to.be.below(small * 10 + 200);
    }
  }).timeout(60_000);
});

describe('rules of blocks and of HTML pages', () => {
  const codes = (editor: 'block' | 'turbo' | 'pagebuilder', text: string, isFile = files.has.bind(files)) =>
    checkPage(editor, text, { ...standardWidgets, isFile }).problems.map(({ code, pointer }) =>
      `${code} ${pointer}`.trim(),
    );

  it('want block comments closed in their order', () => {
    const good = [
      '',
      '<p>classic</p>',
      '<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->',
      '<!-- wp:core/group {"a":{"b":1}} --><!-- wp:spacer /--><!-- wp:acme/box {"c":2} /--><!-- /wp:group -->',
      '<!-- more --><!-- wpx:a -->',
    ];
    for (const text of good) expect(codes('block', text), text).to.deep.equal([]);
    for (const text of [
      '<!-- wp:paragraph -->',
      '<!-- /wp:paragraph -->',
      '<!-- wp:group --><!-- wp:columns --><!-- /wp:group -->',
    ]) {
      expect(codes('block', text), text).to.include('block_unbalanced');
    }
    const { stats } = checkPage('block', good[3] ?? '', standardWidgets);
    expect(stats).to.deep.include({ elements: 3, depth: 2, widgets: 0, widget_types: {} });
  });

  it('want attributes of blocks to be JSON objects', () => {
    for (const attributes of ['{"a":}', '[1]', '"x"', '{', 'x', `{"a":${'['.repeat(100_000)}}`]) {
      expect(codes('block', `<!-- wp:a ${attributes} /-->`)).to.deep.equal(['block_attrs']);
    }
    expect(codes('block', '<!-- wp:a {"a":"/"} /-->')).to.deep.equal([]);
  });

  it('are quick with millions of blocks', () => {
    const spent = cpuMs(() => {
      const { problems, valid } = checkPage('block', '<!-- wp:a -->'.repeat(400_000), standardWidgets);
      expect([valid, problems.length]).to.deep.equal([false, 1]);
      expect(checkPage('block', '<!-- wp:a {'.repeat(400_000), standardWidgets).valid).to.equal(true);
    });
    expect(spent).to.be.below(5_000);
  }).timeout(30_000);

  it('warn of HTML without a text', () => {
    for (const text of [
      '',
      '<body> <img src=a> &nbsp; </body>',
      '<title>x</title><body><script>a</script>',
    ]) {
      expect(codes('turbo', text), text).to.deep.equal(['turbo_empty']);
    }
    expect(codes('turbo', '<body>x</body>')).to.deep.equal([]);
  });

  it('name unknown files of every kind of page, and those only', () => {
    const page = (url: string) =>
      JSON.stringify([{ id: 'abc1234', elType: 'container', settings: { bg: { url } }, elements: [] }]);
    expect(codes('pagebuilder', page('local://b.png'))).to.deep.equal(['pb_local_ref /0/settings/bg/url']);
    expect(codes('pagebuilder', page('local://a.png'))).to.deep.equal([]);
    expect(codes('turbo', 'x <img src="local://b.png">')).to.deep.equal(['pb_local_ref']);
    expect(codes('block', '<img src="local://b.png"><img src="local://b.png">')).to.deep.equal([
      'pb_local_ref',
    ]);
    const anything = checkPage('block', 'local://b.png', standardWidgets);
    expect(anything.problems).to.deep.equal([]);
  });

  it('bound the size of a page', () => {
    expect(codes('block', 'x'.repeat(5 * 1024 * 1024 + 1))).to.deep.equal(['pb_size']);
    expect(codes('block', 'x'.repeat(5 * 1024 * 1024))).to.deep.equal([]);
  });
});
