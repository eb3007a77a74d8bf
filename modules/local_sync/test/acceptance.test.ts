import { expect } from 'chai';
import { emptyPage, file, hashOf, LocalKit, page, png, root, told } from './local-kit.ts';

describe('local_sync: a project from the first plan on', () => {
  let kit: LocalKit;
  before(async () => {
    kit = await LocalKit.start({ modules: ['local_sync', 'studio_sync'] });
  });
  after(() => kit.lyceum.stop());

  it('is planned without a trace', async () => {
    const body = await kit.synced('first', [told('index', '[]', { editor: 'pagebuilder' })], {
      dry_run: true,
    });
    expect(body).to.deep.include({ project: 'first', blog_id: 1, dry_run: true, sync_id: null, files: [] });
    expect(body.pages).to.deep.equal([
      {
        ...{ key: 'index', post_id: null, action: 'create', reason: null, needs_content: true },
        ...{ hash: emptyPage, document_hash: null, problems: [], error: null },
      },
    ]);
    expect(body.summary).to.deep.equal({
      ...{ created: 1, updated: 0, unchanged: 0, deleted: 0, conflicts: 0, failed: 0, files_written: 0 },
    });
    const { body: projects } = await kit.client.get(`${root}/projects`).expect(200);
    expect(projects).to.deep.equal([]);
    expect(await kit.audited('sync')).to.deep.equal([]);
  });

  it('is made by the first sync, and the same again changes nothing', async () => {
    const pages = [{ key: 'index', hash: emptyPage, title: 'Index', slug: 'index', content: '[]' }];
    const first = await kit.synced('first', pages, { name: 'First of all' });
    const [made] = first.pages;
    expect(made).to.deep.include({
      action: 'create',
      hash: emptyPage,
      document_hash: emptyPage,
      error: null,
    });
    expect(made.problems.map((problem: { code: string }) => problem.code)).to.deep.equal(['pb_empty']);
    expect(first.sync_id).to.match(/^[0-9a-f-]{36}$/);
    const post = await kit.post(made.post_id);
    expect(post).to.deep.include({
      type: 'page',
      status: 'draft',
      title: 'Index',
      slug: 'index',
      hash: emptyPage,
    });
    expect(post.meta).to.deep.equal({ editor: 'pagebuilder', pagebuilder_data: '[]' });
    const kept = await kit.revisions(made.post_id);
    expect(kept.map(({ source, user_id }) => [source, user_id])).to.deep.equal([['local', 1]]);

    const again = await kit.synced('first', pages);
    expect(again.pages[0]).to.deep.include({ action: 'unchanged', reason: null, post_id: made.post_id });
    expect(again.summary).to.deep.include({ created: 0, unchanged: 1 });
    expect(await kit.revisions(made.post_id)).to.have.length(1);

    const { body: projects, headers } = await kit.client.get(`${root}/projects?include=items`).expect(200);
    expect(headers['x-svc-total']).to.equal('1');
    expect(projects[0]).to.deep.include({
      ...{ project: 'first', name: 'First of all', blog_id: 1, pages: 1, files: 0, bytes: 0 },
      ...{ last_sync_id: again.sync_id, summary: again.summary },
    });
    expect(projects[0].items).to.deep.equal([
      {
        ...{ key: 'index', post_id: made.post_id, post_type: 'page', slug: 'index', editor: 'pagebuilder' },
        ...{ source_hash: emptyPage, document_hash: emptyPage, current_hash: emptyPage, state: 'in_sync' },
      },
    ]);
    const audits = await kit.audited('sync');
    expect(audits.map(({ to }) => to)).to.deep.equal([
      { project: 'first', sync_id: first.sync_id, summary: first.summary },
      { project: 'first', sync_id: again.sync_id, summary: again.summary },
    ]);
  });

  it('knows which side changed, and loses nothing', async () => {
    const project = kit.project();
    const [{ post_id: id }] = (await kit.synced(project, [page('a', '<p>one</p>')])).pages;
    await kit.edit(id, { content: '<p>site</p>' });
    const [left] = (await kit.synced(project, [told('a', '<p>one</p>')])).pages;
    expect(left).to.deep.include({ action: 'unchanged', reason: 'changed_on_site', needs_content: false });
    const [skipped] = (await kit.synced(project, [page('a', '<p>two</p>')])).pages;
    expect(skipped).to.deep.include({ action: 'conflict', reason: 'both_changed', error: null });
    expect((await kit.post(id)).content).to.equal('<p>site</p>');
    const [written] = (await kit.synced(project, [page('a', '<p>two</p>')], { on_conflict: 'overwrite' }))
      .pages;
    expect(written).to.deep.include({ action: 'update', reason: 'overwrite', post_id: id });
    expect((await kit.post(id)).content).to.equal('<p>two</p>');
    const kept = (await kit.revisions(id)).map(({ source, content }) => `${source} ${content}`);
    expect(kept).to.deep.equal(['local <p>two</p>', 'host <p>site</p>', 'local <p>one</p>']);
  });

  it('keeps as many states of a page as the desktop studio does', async () => {
    await kit.lyceum.make.settings('studio_sync', { revisions_keep: 2 });
    const project = kit.project();
    for (const text of ['1', '2', '3']) await kit.synced(project, [page('a', text)]);
    const [{ post_id: id }] = (await kit.synced(project, [page('a', '4')])).pages;
    expect((await kit.revisions(id)).map(({ content }) => content)).to.deep.equal(['4', '3']);
    await kit.lyceum.make.settings('studio_sync', { revisions_keep: null });
  });

  it('puts addresses of files into pages, and again when only a file changes', async () => {
    const project = kit.project();
    const content = '<img src="local://assets/a.png">';
    const first = await kit.synced(project, [page('a', content)], { files: [file('assets/a.png', png())] });
    const [stored] = first.files;
    expect(stored).to.deep.include({
      path: 'assets/a.png',
      action: 'create',
      needs_content: false,
      error: null,
    });
    expect(stored.url).to.contain(hashOf(png()));
    const [{ post_id: id, hash, document_hash }] = first.pages;
    expect((await kit.post(id)).content).to.equal(`<img src="${stored.url}">`);
    expect([hash, document_hash]).to.deep.equal([hashOf(content), hashOf(`<img src="${stored.url}">`)]);
    const served = await fetch(`${kit.lyceum.origin}${new URL(stored.url).pathname}`);
    expect([served.status, served.headers.get('content-type')]).to.deep.equal([200, 'image/png']);
    expect(Buffer.from(await served.arrayBuffer()).equals(png())).to.equal(true);

    const other = { files: [file('assets/a.png', png('other'))] };
    const planned = await kit.synced(project, [told('a', content)], { ...other, dry_run: true });
    expect(planned.pages[0]).to.deep.include({ action: 'update', reason: 'file', needs_content: false });
    const second = await kit.synced(project, [told('a', content)], other);
    expect(second.pages[0]).to.deep.include({ action: 'update', reason: 'file', post_id: id });
    expect(second.files[0]).to.deep.include({ action: 'update' });
    expect((await kit.post(id)).content).to.equal(`<img src="${second.files[0].url}">`);
    expect(second.files[0].url).not.to.equal(stored.url);
    const third = await kit.synced(project, [told('a', content)], {
      files: [{ path: 'assets/a.png', sha256: hashOf(png('other')) }],
    });
    expect([third.pages[0].action, third.files[0].action]).to.deep.equal(['unchanged', 'unchanged']);
    expect(third.files[0].url).to.equal(second.files[0].url);
  });

  it('is done but for the page whose content is another one', async () => {
    const wrong = { ...page('b', '<p>b</p>'), hash: hashOf('something else') };
    const { pages, summary } = await kit.synced(kit.project(), [page('a', 'x'), wrong, page('c', 'y')]);
    expect(pages.map((one: { action: string }) => one.action)).to.deep.equal(['create', 'error', 'create']);
    expect(pages[1].error.code).to.equal('local_sync_hash_mismatch');
    expect(summary).to.deep.include({ created: 2, failed: 1 });
  });

  it('loses the pages that the manifest has no more, where that is wanted', async () => {
    const project = kit.project();
    const { pages } = await kit.synced(project, [page('a', 'a'), page('b', 'b')]);
    const kept = await kit.synced(project, [told('a', 'a')]);
    expect(kept.pages).to.have.length(1);
    const gone = await kit.synced(project, [told('a', 'a')], { delete_missing: true });
    expect(gone.pages[1]).to.deep.include({
      key: 'b',
      action: 'delete',
      post_id: pages[1].post_id,
      reason: null,
    });
    expect(gone.summary).to.deep.include({ unchanged: 1, deleted: 1 });
    expect((await kit.post(pages[1].post_id)).status).to.equal('trash');
    const after = await kit.synced(project, [told('a', 'a')], { delete_missing: true });
    expect(after.pages).to.have.length(1);
  });
});
