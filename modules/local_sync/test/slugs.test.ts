import { expect } from 'chai';
import { LocalKit, type PageResult, page, said } from './local-kit.ts';

describe('local_sync: slugs of pages', () => {
  let kit: LocalKit;
  before(async () => {
    kit = await LocalKit.start();
  });
  after(() => kit.lyceum.stop());

  const both: LocalKit['both'] = (...given) => kit.both(...given);

  it('take no slug of others, unless they may adopt the post', async () => {
    const project = kit.project();
    const foreign = {
      type: 'page',
      title: 'About',
      slug: `${project}-about`,
      content: 'theirs',
      status: 'publish',
    };
    const { body: post } = await kit.client.post('svc/host/v1/posts', foreign).expect(201);
    const pages = [page('about', 'ours', { title: 'Ours' })];
    expect(said(await both(project, pages))).to.deep.equal(['about conflict slug_taken']);
    expect((await kit.post(post.id)).content).to.equal('theirs');
    const modal = await kit.synced(project, [
      page('box', 'x', { slug: `${project}-about`, post_type: 'modal' }),
    ]);
    expect(said(modal.pages)).to.deep.equal(['box create']);
    const [adopted] = await both(project, pages, { on_conflict: 'overwrite' });
    expect(adopted).to.deep.include({ action: 'update', reason: 'slug_taken', post_id: post.id });
    expect(await kit.post(post.id)).to.deep.include({ content: 'ours', title: 'Ours', status: 'draft' });
    const kept = (await kit.revisions(post.id)).map(({ source, content }) => `${source} ${content}`);
    expect(kept).to.deep.equal(['local ours', 'host theirs']);
    expect(said(await both(project, pages))).to.deep.equal(['about unchanged']);
  });

  it('among themselves have a slug once; without one they get a number', async () => {
    const project = kit.project();
    const slug = `${project}-same`;
    const twice = [page('a', 'a', { slug }), page('b', 'b', { slug })];
    expect(said(await both(project, twice))).to.deep.equal(['a create', 'b conflict slug_taken']);
    expect(said(await both(project, twice, { on_conflict: 'overwrite' }))).to.deep.equal([
      'a unchanged',
      'b conflict slug_taken',
    ]);
    const title = `Intro ${project}`;
    const untold = ['one', 'two'].map((key) => page(key, key, { title, slug: undefined }));
    const { body } = await kit.sync(project, untold).expect(200);
    const slugs = await Promise.all(
      body.pages.map(async (one: PageResult) => (await kit.post(one.post_id)).slug),
    );
    expect(slugs).to.deep.equal([`intro-${project}`, `intro-${project}-2`]);
  });

  it('take the place of one that goes in the same sync', async () => {
    const project = kit.project();
    const slug = `${project}-about`;
    const [old] = (await kit.synced(project, [page('about', 'old', { slug, status: 'publish' })])).pages;
    const missing = { delete_missing: true };
    const renamed = [page('about-us', 'new', { slug, status: 'publish' })];
    expect(said(await both(project, renamed, missing))).to.deep.equal(['about-us create', 'about delete']);
    expect((await kit.post(old.post_id)).status).to.equal('trash');
    const [now] = await both(project, renamed, missing);
    expect(await kit.post(now?.post_id ?? 0)).to.deep.include({ slug, content: 'new', status: 'publish' });
    await kit.edit(now?.post_id ?? 0, { content: 'by the site' });
    const again = [page('third', 'third', { slug })];
    expect(said(await both(project, again, missing))).to.deep.equal([
      'third conflict slug_taken',
      'about-us conflict changed_on_site',
    ]);
    expect((await kit.post(now?.post_id ?? 0)).content).to.equal('by the site');
  });

  it('of one title adopt one post, not two the same', async () => {
    const project = kit.project();
    const title = `Twins of ${project}`;
    const { body: post } = await kit.client.post('svc/host/v1/posts', { type: 'page', title }).expect(201);
    const twins = ['a', 'b'].map((key) => page(key, key, { title, slug: undefined }));
    const send = async (dry_run: boolean) =>
      (await kit.sync(project, twins, { dry_run, on_conflict: 'overwrite' }).expect(200)).body
        .pages as PageResult[];
    const expected = ['a update slug_taken', 'b create'];
    expect(said(await send(true))).to.deep.equal(expected);
    const done = await send(false);
    expect(said(done)).to.deep.equal(expected);
    expect(done[0]?.post_id).to.equal(post.id);
  });
});
