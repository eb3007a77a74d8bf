import { expect } from 'chai';
import { BuildKit, picture, route } from './build-kit.ts';

describe('static_builder: a build', () => {
  let kit: BuildKit;
  before(async () => {
    kit = await BuildKit.start();
  });
  after(() => kit.stop());

  it('makes a course of pages, and serves it', async () => {
    const ids = await kit.pages(3);
    const { id, ...made } = await kit.create(ids, { course_name: 'Safety first', api_type: 'scorm12' });
    expect(made).to.deep.include({ status: 'new', revision: 0, logs: [], view_url: null, zip_url: null });
    const { body: pending } = await kit.run(id);
    expect(pending.status).to.equal('pending');
    const build = await kit.ended(id);
    expect(build.logs.map(({ step }) => step)).to.include('published: revision 1');
    expect(build).to.deep.include({ status: 'completed', revision: 1 });
    expect(build.progress.percent).to.equal(100);
    expect(build.view_url).to.equal(`${build.files_url}index.html`);
    expect(build.zip_url).to.equal(`${build.files_url}safety-first-v1-scorm12.zip`);
    const shell = await kit.fetch(build.view_url ?? '');
    expect(shell.status).to.equal(200);
    expect(shell.headers['content-type']).to.match(/^text\/html/);
    expect(shell.headers['content-security-policy']).to.equal(
      'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-presentation',
    );
    expect(shell.headers['access-control-allow-origin']).to.equal('*');
    expect(shell.headers['x-content-type-options']).to.equal('nosniff');
    expect((await kit.fetch(build.files_url)).body).to.deep.equal(shell.body);
    expect((await kit.fetch(build.view_url ?? '', { 'Service-Worker': 'script' })).status).to.equal(403);
    expect(await kit.text(build, 'pages/002-page-2.html')).to.include('<p>Page 2</p>');
    const zip = await kit.zip(build);
    const [first] = zip.keys();
    expect(first).to.equal('imsmanifest.xml');
    const manifest = zip.get('imsmanifest.xml')?.toString('utf8') ?? '';
    for (const name of zip.keys()) if (name !== first) expect(manifest, name).to.include(`href="${name}"`);
    expect((await kit.fetch(build.zip_url ?? '')).headers['content-type']).to.equal('application/zip');
  });

  it('renders again only what changed', async () => {
    const url = await kit.upload(picture(1), 'dot.gif');
    const one = await kit.page('One', `<p><img src="${url}"> first</p>`);
    const two = await kit.page('Two', `<p><img src="${url}"> second</p>`);
    const build = await kit.course([one, two]);
    const before = await kit.zip(build);
    await kit.change(two, { content: '<p>changed</p>' });
    const again = await kit.built(build.id);
    expect(again.revision).to.equal(2);
    expect(again.logs.map(({ step }) => step)).to.include.members([
      'rebuild: revision 2',
      'pages: 1 rendered, 1 from the cache',
    ]);
    const after = await kit.zip(again);
    expect([...after.keys()]).to.deep.equal([...before.keys()]);
    expect(after.get('pages/002-two.html')?.toString()).to.include('<p>changed</p>');
    const { body: diff } = await kit.admin.get(`${route}/builds/${build.id}/diff?against=1`).expect(200);
    expect(diff).to.deep.include({ id: build.id, revision: 2, against: 1 });
    expect(diff.changed.pages).to.deep.equal([{ page_id: two, path: 'pages/002-two.html' }]);
    expect(diff.changed.files.map(({ path }: { path: string }) => path)).to.deep.equal([
      'about.html',
      'course.json',
    ]);
    expect(diff.added).to.deep.equal({ pages: [], files: [] });
    expect(diff.removed).to.deep.equal({ pages: [], files: [] });
  });

  it('has each file once, and links between its pages', async () => {
    const url = await kit.upload(picture(2), 'shared.gif');
    const same = await kit.upload(picture(2), 'the-same.gif');
    const three = await kit.page('Three', 'x');
    const { body: page } = await kit.admin.get(`svc/host/v1/posts/${three}`).expect(200);
    const outside = await kit.page('Outside');
    const { body: other } = await kit.admin.get(`svc/host/v1/posts/${outside}`).expect(200);
    const one = await kit.page(
      'One',
      `<img src="${url}" srcset="${url} 1x, ${same} 2x"><div style="background: url('${same}')"></div>
       <a href="${page.permalink}#part">in</a><a href="${other.permalink}">out</a><a href="/files/none.png">gone</a>`,
    );
    const build = await kit.course([one, three]);
    const names = [...(await kit.zip(build)).keys()];
    const media = names.filter((name) => name.startsWith('media/'));
    expect(media).to.have.length(1);
    const html = await kit.text(build, names.find((name) => name.startsWith('pages/001')) ?? '');
    const at = `../${media[0]}`;
    expect(html).to.include(`src="${at}"`).and.include(`${at} 2x`).and.include(`url(&quot;${at}&quot;)`);
    expect(html).to.match(/href="002-three(-\d)?\.html#part"/);
    expect(html).to.include(`href="${other.permalink}"`);
    expect(build.logs.map(({ step }) => step).join('\n')).to.include('file_missing: ');
    expect((await kit.fetch(`${build.files_url}${media[0]}`)).body).to.deep.equal(picture(2));
  });
});
