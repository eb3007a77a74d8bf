import { expect } from 'chai';
import { CapabilityTable } from '../../core/auth/capabilities.ts';
import type { Post } from '../../core/content/post.ts';
import { Posts } from '../../core/content/posts.ts';
import { PageRenderer, type RenderedPage } from '../../core/content/rendering/page-renderer.ts';
import { html } from '../../core/http/pages/html.ts';
import type { PagePlace, PageReader } from '../../core/shortcodes/page-place.ts';
import { type Expansion, Shortcodes } from '../../core/shortcodes/shortcodes.ts';
import { type Client, startTestHost, type TestHost } from '../kit/index.ts';

const packages = new URL('./packages', import.meta.url).pathname;
const modules = 'svc/modules/v1/modules';
const posts = 'svc/host/v1/posts';

describe('pages as readers see them', function () {
  // A module in a worker is among them.
  this.timeout(60_000);
  let lyceum: TestHost;
  let admin: Client;
  let renderer: PageRenderer;
  let shortcodes: Shortcodes;
  before(async () => {
    lyceum = await startTestHost({
      modules: ['test_pieces', 'test_far_pieces'],
      folders: [packages],
    });
    admin = lyceum.as(await lyceum.make.admin());
    renderer = lyceum.host.services.host(PageRenderer);
    shortcodes = lyceum.host.services.host(Shortcodes);
  });
  after(() => lyceum.stop());

  const place = async (): Promise<PagePlace> =>
    (await renderer.place(1)) ?? expect.fail('The site is there.');
  const make = async (fields: object): Promise<Post> => {
    const { body } = await admin.post(posts, { type: 'page', title: 'Page', ...fields }).expect(201);
    return read(body.id);
  };
  const read = async (id: number): Promise<Post> =>
    (await lyceum.host.services.host(Posts).find(1, id)) ?? expect.fail('The page is there.');
  const render = async (post: Post): Promise<RenderedPage> =>
    renderer.render(await place(), post, ({ key, shortcode }) => html`<x-${key}>${shortcode}</x-${key}>`);
  const shown = async (content: string): Promise<string> => (await render(await make({ content }))).html;
  const reader = (role: string, superAdmin = false): PageReader => ({
    user: {
      ...{ id: 900, login: 'ann', email: 'ann@example.test', display_name: 'Ann <b>', nicename: 'ann' },
      ...{ first_name: '', last_name: '', locale: 'en', registered: '', role, super_admin: superAdmin },
    },
    can: (name) => lyceum.host.services.host(CapabilityTable).holds(role, superAdmin, name),
  });
  const expand = async (text: string, who = reader('editor'), post: Post | null = null): Promise<Expansion> =>
    shortcodes.expand(await place(), post, who, text);
  const fault = async (text: string): Promise<string | undefined> => (await expand(text)).problem?.fault;
  const crashes = async (): Promise<string[]> =>
    (await lyceum.host.db.knex('module_crashes').orderBy('at').pluck('place')) as string[];

  it('static shortcodes are rendered, dynamic ones have their place kept', async () => {
    const { state, site } = await place();
    const title = state.siteOptions.get('title') as string;
    const post = await make({
      content:
        '<!-- wp:paragraph -->\n<p>[site] [user field="login"] [[site]] [nope]</p>\n<!-- /wp:paragraph -->' +
        `<a href="[site field='url']x" title="[user]">[if_role role="editor"]<b>[user]</b>[/if_role]</a>`,
    });
    const page = await render(post);
    expect(page.html).to.equal(
      `<p>${title} <x-d1>[user field=&quot;login&quot;]</x-d1> [site] [nope]</p>\n` +
        `<a href="${site.url}x" title="[user]"><x-d2>[if_role role=&quot;editor&quot;]&lt;b&gt;[user]&lt;/b&gt;[/if_role]</x-d2></a>`,
    );
    expect(page.placeholders).to.deep.equal([
      { key: 'd1', shortcode: '[user field="login"]' },
      { key: 'd2', shortcode: '[if_role role="editor"]<b>[user]</b>[/if_role]' },
    ]);
    expect(page.problems).to.deep.equal([]);
  });

  it('one within the other, in the order of the page', async () => {
    expect(await shown('[box blue "a>b"]1[user][site field="nope"][/box]')).to.equal(
      '<div class="red" title="blue">1<x-d1>[user]</x-d1></div>',
    );
    expect(await shown('[box color="blue"][if_role role="author"]x[/if_role][/box][user]')).to.equal(
      '<div class="blue" title=""><x-d1>[if_role role=&quot;author&quot;]x[/if_role]</x-d1></div><x-d2>[user]</x-d2>',
    );
  });

  it('documents of other editors are shown by what is between their tags, or by their projection', async () => {
    const turbo =
      '<html><head><title>x</title></head><body><p>[site field="url"]</p><script>1</script></body></html>';
    const { site } = await place();
    const post = await make({ content: 'other', meta: { editor: 'turbo', turbo_html: turbo } });
    expect((await render(post)).html).to.equal(`<p>${site.url}</p><script>1</script>`);
    const widgets = [{ elType: 'widget', widgetType: 'shortcode', settings: { shortcode: '[user]' } }];
    const built = await make({ meta: { editor: 'pagebuilder', pagebuilder_data: JSON.stringify(widgets) } });
    expect((await render(built)).html).to.equal('<x-d1>[user]</x-d1>');
  });

  it('what is rendered for a reader is his own, and escaped', async () => {
    const post = await make({ content: 'x' });
    const text = async (shortcode: string, who?: PageReader): Promise<string> =>
      (await expand(shortcode, who, post)).html;
    expect(await text('[user field="displayName"]')).to.equal('Ann &lt;b&gt;');
    expect(await text('[user]')).to.equal('Ann &lt;b&gt;');
    expect(await text('[user field=email]')).to.equal('ann@example.test');
    expect(await text('[user field=id /]')).to.equal('900');
    const both = '[if_role role="editor"]for [user field=login] of [site field=url][/if_role]';
    expect(await text(both)).to.equal(`for ann of ${(await place()).site.url}`);
    expect(await text(both, reader('author'))).to.equal('');
    expect(await text('[if_role role="administrator"]x[/if_role]', reader('author', true))).to.equal('x');
    expect(await text('[user]', { user: null, can: () => false })).to.equal('');
    expect(await text('[behaves how="well"]')).to.equal('well by ann on Page');
  });

  it('what is no single dynamic shortcode of the site is unknown, bad attributes are named', async () => {
    for (const text of [
      '',
      'x',
      '[site]',
      '[nope]',
      '[user] ',
      '[user][user]',
      '[[user]]',
      '[box]',
      '[user',
    ]) {
      expect(await fault(text), text).to.equal('unknown');
    }
    for (const text of [
      '[user field="password"]',
      '[if_role]x[/if_role]',
      '[if_role role="boss"]',
      '[behaves]',
    ]) {
      expect(await fault(text), text).to.equal('bad_attributes');
    }
    const { problem } = await expand('[behaves how="input"]');
    expect(problem).to.deep.include({ fault: 'bad_attributes', message: 'how: is none of them' });
    const page = await render(await make({ content: 'a[site field="nope"]b' }));
    expect(page.html).to.equal('ab');
    expect(page.problems).to.have.length(1);
    expect(page.problems[0]).to.deep.include({ shortcode: '[site field="nope"]', fault: 'bad_attributes' });
  });

  it('what a module gets wrong costs one piece; what nobody foresaw is a crash of that module', async () => {
    expect(await fault('[behaves how="refuse"]')).to.equal('failed');
    const began = performance.now();
    expect(await fault('[behaves how="late"]')).to.equal('failed');
    expect(performance.now() - began).to.be.within(1_900, 10_000);
    expect(await crashes()).to.deep.equal([]);
    expect(await fault('[behaves how="crash"]')).to.equal('failed');
    expect((await render(await make({ content: 'a', excerpt: 'crash' }))).html).to.equal('a');
    expect(await crashes()).to.deep.equal(['[behaves]', 'test_pieces.foot']);
    expect((await expand('[behaves how="well"]')).html).to.contain('well by ann');
    expect(await fault('[behaves how="text"]')).to.equal('failed');
    // The third within an hour.
    expect(await fault('[behaves how="well"]')).to.equal('unknown');
    expect(await shown('[box]x[/box]')).to.equal('[box]x[/box]');
    await admin.put(`${modules}/test_pieces`, { enabled: true }).expect(200);
    expect(await shown('[box]x[/box]')).to.equal('<div class="red" title="">x</div>');
  });

  it('what modules add stands after the content', async () => {
    expect((await render(await make({ content: 'a', excerpt: '<foot>' }))).html).to.equal(
      'a\n<footer>&lt;foot&gt;</footer>',
    );
    expect((await render(await make({ content: '', excerpt: 'far' }))).html).to.equal(
      '<b>Page null</b>\n<footer>far</footer>',
    );
  });

  it('where their module is off they are text, and not listed', async () => {
    const tags = async (): Promise<string[]> => shortcodes.list((await place()).state).map(({ tag }) => tag);
    expect(await tags()).to.include.members(['user', 'if_role', 'site', 'box', 'behaves', 'far']);
    await admin.put(`${modules}/test_pieces`, { enabled: false }).expect(200);
    expect(await tags())
      .to.include('site')
      .and.not.include('box');
    expect(await shown('[box]x[/box] [behaves how="well"]')).to.equal('[box]x[/box] [behaves how="well"]');
    expect(await fault('[behaves how="well"]')).to.equal('unknown');
    await admin.put(`${modules}/test_pieces`, { enabled: true }).expect(200);
    const { state } = await place();
    const text = 'a[box x=1][user][/box][[box]][user]<i title="[box]">';
    const parsed = shortcodes.parse(state, text);
    expect(parsed.map(({ from, to }) => text.slice(from, to))).to.deep.equal([
      '[box x=1][user][/box]',
      '[user]',
      '[box]',
    ]);
    expect(parsed[0]).to.deep.include({ tag: 'box', content: '[user]', dynamic: false });
    expect({ ...parsed[0]?.attributes }).to.deep.equal({ x: '1' });
    expect(parsed[1]).to.include({ tag: 'user', text: '[user]', dynamic: true });
  });

  it('those of a module in a worker are made there', async () => {
    const post = await make({ content: 'its [user]' });
    const text = async (shortcode: string): Promise<string> =>
      (await expand(shortcode, reader('editor'), post)).html;
    expect(Number(await text('[far what="process"]')))
      .to.be.greaterThan(0)
      .and.not.equal(process.pid);
    expect(await text('[far what="can"]')).to.equal('true false');
    expect(await text('[far what="sign" size=2]')).to.equal('far2');
    expect(await text('[far what="inner"]<b>[user]</b>[/far]')).to.equal('<i><b>Ann &lt;b&gt;</b></i>');
    expect(await text('[far what="find"]')).to.equal('Page its [user]');
    expect(await fault('[far what="sign" size=4]')).to.equal('bad_attributes');
    expect(await fault('[far what="x"]')).to.equal('bad_attributes');
  });

  it('the stamp follows all that went in, and costs no rendering', async () => {
    let post = await make({ content: 'a [box]x[/box]' });
    const stamp = async (): Promise<string> => renderer.stamp(await place(), post);
    const change = (fields: object) => async () => {
      await admin.patch(`${posts}/${post.id}`, fields).expect(200);
      post = await read(post.id);
    };
    const setting = (module: string, settings: object) => () =>
      admin.patch(`${modules}/${module}/settings`, { settings }).expect(200);
    let before = await stamp();
    expect(before).to.match(/^[0-9a-f]{64}$/);
    expect(await stamp()).to.equal(before);
    expect((await render(post)).stamp).to.equal(before);
    await change({ slug: 'other', meta: { turbo_html: 'x' } })();
    expect(await stamp()).to.equal(before);
    const changes = {
      content: change({ content: 'b' }),
      title: change({ title: 'Other' }),
      addition: change({ excerpt: 'x' }),
      editor: change({ meta: { editor: 'turbo', turbo_html: 'b' } }),
      setting: setting('test_pieces', { sign: '!' }),
      'title of the site': setting('host', { title: 'Renamed' }),
      off: () => admin.put(`${modules}/test_pieces`, { enabled: false }).expect(200),
    };
    for (const [name, act] of Object.entries(changes)) {
      await act();
      const after = await stamp();
      expect(after, name).to.not.equal(before);
      expect((await render(post)).stamp, name).to.equal(after);
      before = after;
    }
    await admin.put(`${modules}/test_pieces`, { enabled: true }).expect(200);
    expect(await renderer.place(999_999)).to.equal(null);
  });
});
