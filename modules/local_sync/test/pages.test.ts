import { expect } from 'chai';
import { hashOf, LocalKit, type PageResult, page, said, told, withErrors } from './local-kit.ts';

const builder = (elements: unknown): string => JSON.stringify(elements);

describe('local_sync: pages', () => {
  let kit: LocalKit;
  before(async () => {
    kit = await LocalKit.start();
  });
  after(() => kit.lyceum.stop());

  const both: LocalKit['both'] = (...given) => kit.both(...given);

  it('lie below their parents, whatever the order, and follow a parent that is made anew', async () => {
    const project = kit.project();
    const tree = [page('c', 'c', { parent: 'b' }), page('b', 'b', { parent: 'a' }), page('a', 'a')];
    const [c, b, a] = (await both(project, tree)) as [PageResult, PageResult, PageResult];
    expect((await kit.post(c.post_id)).parent_id).to.equal(b.post_id);
    expect((await kit.post(b.post_id)).parent_id).to.equal(a.post_id);
    const alone = await kit.synced(project, [page('d', 'd', { parent: 'b' })]);
    expect((await kit.post(alone.pages[0].post_id)).parent_id).to.equal(b.post_id);

    await kit.client.delete(`svc/host/v1/posts/${a.post_id}`).expect(200);
    const again = await both(project, tree);
    expect(said(again)).to.deep.equal(['c unchanged', 'b update fields', 'a create missing_on_site']);
    const made = again[2]?.post_id ?? 0;
    expect(made).not.to.equal(a.post_id);
    expect((await kit.post(b.post_id)).parent_id).to.equal(made);
    expect((await kit.post(made)).slug).to.equal(`${project}-a`);
    expect((await kit.post(a.post_id)).slug).to.equal(`${project}-a-trashed`);
    expect(said(await both(project, tree))).to.deep.equal(['c unchanged', 'b unchanged', 'a unchanged']);
  });

  it('with a parent that is none are told so, and all others are done', async () => {
    const pages = [
      ...[page('x', 'x', { parent: 'y' }), page('y', 'y', { parent: 'x' }), page('z', 'z', { parent: 'z' })],
      ...[page('below', 'x', { parent: 'x' }), page('lost', 'x', { parent: 'nowhere' })],
      { ...page('wrong', 'x'), hash: hashOf('y') },
      ...[page('child', 'x', { parent: 'wrong' }), page('modal', 'x', { post_type: 'modal' })],
      ...[
        page('in-modal', 'x', { parent: 'modal' }),
        page('m2', 'x', { post_type: 'modal', parent: 'modal' }),
      ],
      page('good', 'x'),
    ];
    expect(withErrors(await both(kit.project(), pages))).to.deep.equal([
      ...['x error parent_cycle', 'y error parent_cycle', 'z error parent_cycle'],
      ...['below error parent_failed', 'lost error unknown_parent', 'wrong error hash_mismatch'],
      ...['child error parent_failed', 'modal create', 'in-modal error unknown_parent'],
      ...['m2 error unknown_parent', 'good create'],
    ]);
  });

  it('cannot lie below themselves on the site either', async () => {
    const project = kit.project();
    const [a, b] = (await kit.synced(project, [page('a', 'a'), page('b', 'b')])).pages;
    await kit.edit(a.post_id, { parent_id: b.post_id });
    const results = await kit.synced(project, [told('a', 'a'), told('b', 'b', { parent: 'a' })]);
    expect(withErrors(results.pages)).to.deep.equal(['a unchanged', 'b error parent_cycle']);
  });

  it('change slug, title, status, order and type where the client changed them', async () => {
    const project = kit.project();
    const [{ post_id: id }] = (await kit.synced(project, [page('a', 'a')])).pages;
    await kit.edit(id, { title: 'By the site' });
    expect(said(await both(project, [told('a', 'a')]))).to.deep.equal(['a unchanged']);
    const fields = { title: 'New', slug: `${project}-new`, status: 'publish', menu_order: 4 };
    const [changed] = await both(project, [told('a', 'a', fields)]);
    expect(changed).to.deep.include({ action: 'update', reason: 'fields', needs_content: false });
    expect(await kit.post(id)).to.deep.include({ ...fields, content: 'a' });
    const [moved] = await both(project, [told('a', 'a', { ...fields, post_type: 'modal' })]);
    expect(moved).to.deep.include({ action: 'update', reason: 'fields', post_id: id });
    expect(await kit.post(id)).to.deep.include({ type: 'modal', slug: `${project}-new`, content: 'a' });
    expect(said(await both(project, [told('a', 'a', { ...fields, post_type: 'modal' })]))).to.deep.equal([
      'a unchanged',
    ]);
  });

  it('leave their family when they become of another type', async () => {
    const project = kit.project();
    const tree = [page('top', 't'), page('mid', 'm', { parent: 'top' }), page('low', 'l', { parent: 'mid' })];
    const [top, mid, low] = (await kit.synced(project, tree)).pages;
    const modal = told('mid', 'm', { post_type: 'modal' });
    const results = await both(project, [told('top', 't'), modal, told('low', 'l', { parent: 'top' })]);
    expect(said(results)).to.deep.equal(['top unchanged', 'mid update fields', 'low update fields']);
    expect(await kit.post(mid.post_id)).to.deep.include({ type: 'modal', parent_id: 0 });
    expect((await kit.post(low.post_id)).parent_id).to.equal(top.post_id);
  });

  it('change their editor with their content', async () => {
    const project = kit.project();
    const [{ post_id: id }] = (await kit.synced(project, [page('a', '<p>one</p>')])).pages;
    const turbo = '<body><p>two</p><script>x</script></body>';
    const [changed] = await both(project, [page('a', turbo, { editor: 'turbo' })]);
    expect(changed).to.deep.include({ action: 'update', reason: 'content', document_hash: hashOf(turbo) });
    const post = await kit.post(id);
    expect(post).to.deep.include({ content: '<p>two</p>', hash: hashOf(turbo) });
    expect(post.meta).to.deep.include({ editor: 'turbo', turbo_html: turbo });
    expect((await kit.revisions(id)).map(({ content }) => content)).to.deep.equal([turbo, '<p>one</p>']);
  });

  it('ask for the contents that are not there, and are refused without them', async () => {
    const project = kit.project();
    const planned = await kit.synced(project, [told('a', 'a')], { dry_run: true });
    expect(planned.pages[0]).to.deep.include({ action: 'create', needs_content: true });
    const [refused] = (await kit.synced(project, [told('a', 'a')])).pages;
    expect(refused.error.code).to.equal('local_sync_content_required');
    const [{ post_id: id }] = (await kit.synced(project, [page('a', 'a')])).pages;
    await kit.client.delete(`svc/host/v1/posts/${id}?force=true`).expect(200);
    const [made] = await both(project, [told('a', 'a')]);
    expect(made).to.deep.include({ action: 'create', reason: 'missing_on_site', needs_content: false });
    expect((await kit.post(made?.post_id ?? 0)).content).to.equal('a');
    const { body: items } = await kit.items(project).expect(200);
    expect(items).to.have.length(1);
  });

  it('that became the same on both sides are no conflict', async () => {
    const project = kit.project();
    const [{ post_id: id }] = (await kit.synced(project, [page('a', 'one')])).pages;
    await kit.edit(id, { content: 'two' });
    const [same] = await both(project, [told('a', 'two')]);
    expect(same).to.deep.include({
      action: 'unchanged',
      reason: 'same_content',
      document_hash: hashOf('two'),
    });
    expect(said(await both(project, [told('a', 'two')]))).to.deep.equal(['a unchanged']);
    await kit.edit(id, { content: 'three' });
    const { body } = await kit.items(project).expect(200);
    expect(body[0]).to.deep.include({ state: 'changed_on_site', current_hash: hashOf('three') });
  });

  it('that others changed stay when they are missing, unless they may be overwritten', async () => {
    const project = kit.project();
    const [{ post_id: id }] = (await kit.synced(project, [page('a', 'one')])).pages;
    await kit.edit(id, { content: 'site' });
    const missing = { delete_missing: true };
    expect(said(await both(project, [], missing))).to.deep.equal(['a conflict changed_on_site']);
    expect(said(await both(project, [], { ...missing, on_conflict: 'overwrite' }))).to.deep.equal([
      'a delete',
    ]);
    expect((await kit.post(id)).status).to.equal('trash');
    expect(said(await both(project, [page('a', 'one')]))).to.deep.equal(['a create']);
  });

  it('that break the rules of their editor are refused with every problem', async () => {
    const element = (id: string) => ({ id, elType: 'container', settings: {}, elements: [] });
    const contents = {
      twice: builder([element('abc1234'), element('abc1234')]),
      json: '{',
      deep: `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      unsafe: builder([{ ...element('abc1234'), settings: { link: { url: ' java\tscript:alert(1)' } } }]),
      strange: builder([{ ...element('abc1234'), settings: { url: 'local://none.png' } }]),
    };
    const pages = Object.entries(contents).map(([key, text]) => page(key, text, { editor: 'pagebuilder' }));
    pages.push(page('open', '<!-- wp:group -->'), page('file', '<img src="local://none.png">'));
    const results = await both(kit.project(), pages);
    expect(withErrors(results)).to.deep.equal([
      ...['twice error invalid_page', 'json error invalid_page', 'deep error invalid_page'],
      ...['unsafe error invalid_page', 'strange error unknown_file', 'open error invalid_page'],
      'file error unknown_file',
    ]);
    expect(results.map(({ problems }) => problems[0]?.code)).to.deep.equal([
      ...['pb_id_duplicate', 'pb_json', 'pb_depth', 'pb_unsafe_url', 'pb_local_ref', 'block_unbalanced'],
      'pb_local_ref',
    ]);
  });

  it('may be called whatever objects have, and hold the one character that no database takes', async () => {
    const project = kit.project();
    const keys = ['__proto__', 'constructor', 'toString', 'Ключ 🗝'];
    const pages = keys.map((key, at) =>
      page(key, `<p>${key}</p>`, { slug: `${project}-${at}`, parent: null }),
    );
    expect((await both(project, pages)).map(({ action }) => action)).to.deep.equal(keys.map(() => 'create'));
    const widget = {
      id: 'abc1234',
      elType: 'widget',
      widgetType: 'heading',
      settings: { title: 'a\0b' },
      elements: [],
    };
    const settings = JSON.parse('{"__proto__":{"url":"x"},"constructor":1}');
    const text = builder([{ id: 'abc9999', elType: 'container', settings, elements: [widget] }]);
    const [made] = await both(project, [page('nul', text, { editor: 'pagebuilder' })]);
    const post = await kit.post(made?.post_id ?? 0);
    expect(post.content).to.equal('<h2>ab</h2>');
    expect(post.meta.pagebuilder_data).to.equal(text);
  });

  it('keep every byte', async () => {
    const text = '\ufeff<p>\r\n\te\u0301 \u00e9 🗝</p> \n';
    const [{ post_id: id, document_hash }] = (await kit.synced(kit.project(), [page('a', text)])).pages;
    expect(document_hash).to.equal(hashOf(text));
    expect((await kit.post(id)).content).to.equal(text);
  });

  it('are those of their site and project', async () => {
    const site = await kit.lyceum.make.site();
    const project = kit.project();
    const here = (await kit.synced(project, [page('a', 'a')])).pages[0];
    const there = (await kit.synced(project, [page('a', 'a')], {}, site)).pages[0];
    expect([there.action, there.post_id === here.post_id]).to.deep.equal(['create', false]);
    const none = await kit.synced(project, [], { delete_missing: true }, site);
    expect(none.pages).to.have.length(1);
    expect((await kit.post(here.post_id)).status).to.equal('draft');
  });
});
