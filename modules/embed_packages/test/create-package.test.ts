import { expect } from 'chai';
import { PackageKit, sandbox, smallExport, space } from './package-kit.ts';
import { zipOf } from './zip-maker.ts';

describe('embed_packages: a new package', () => {
  let kit: PackageKit;
  before(async () => {
    kit = await PackageKit.start();
  });
  after(() => kit.lyceum.stop());

  it('of an archive shows its documents, and its files are served in isolation', async () => {
    const answer = await kit.upload(zipOf(smallExport), {}, 'Fire exits.zip').expect(201);
    const record = answer.body;
    expect(record).to.deep.include({
      title: 'Fire exits',
      slug: 'fire-exits',
      source: 'zip',
      status: 'ready',
      entry: 'index.html',
      revision: 1,
      files: 3,
      bound_page_ids: [],
      blog_id: 1,
    });
    expect(
      record.pages.map((page: { path: string; title: string }) => [page.path, page.title]),
    ).to.deep.equal([
      ['index.html', 'Start & go'],
      ['a/b.html', 'Second'],
    ]);
    expect(record.url).to.match(/\/files\/embed-packages\/\d+-[0-9a-f]{32}\/1\/index\.html$/);
    expect(record.url).to.equal(`${record.files_url}index.html`);
    expect(answer.headers.location).to.match(new RegExp(`${space}/packages/${record.id}$`));
    const shown = await kit.ask(record.url);
    expect([shown.status, shown.text]).to.deep.equal([200, smallExport['index.html']]);
    expect(Object.fromEntries(shown.headers)).to.deep.include({
      'content-type': 'text/html',
      'content-security-policy': sandbox,
      'access-control-allow-origin': '*',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(shown.headers.get('set-cookie')).to.equal(null);
    const { body } = await kit.admin.get(`${space}/packages/${record.id}`).expect(200);
    expect(body).to.deep.equal(record);
  });

  it('has what lies in one top folder without it, and nothing of file managers', async () => {
    const files = Object.entries(smallExport).map(([name, data]) => [`export/${name}`, data]);
    const record = await kit.package({
      ...Object.fromEntries(files),
      '__MACOSX/export/._index.html': 'x',
      'export/.DS_Store': 'x',
      'export/a/Thumbs.db': 'x',
      'export/empty/': '',
    });
    expect([record.files, record.entry]).to.deep.equal([3, 'index.html']);
    expect(record.pages.map((page: { path: string }) => page.path)).to.deep.equal(['index.html', 'a/b.html']);
  });

  it('of entered HTML has it as it was entered', async () => {
    const html = '<title>Hi</title><script>alert(1)</script>';
    const { body } = await kit.admin.post(`${space}/packages`, { title: 'Mine', html }).expect(201);
    expect(body).to.deep.include({ source: 'html', entry: 'index.html', files: 1, bytes: html.length });
    expect((await kit.ask(body.url)).text).to.equal(html);
    const upload = await kit.upload(Buffer.from('just <b>text</b>'), { title: 'T' }, 'x.htm').expect(201);
    expect(upload.body).to.deep.include({ source: 'html', title: 'T', entry: 'index.html' });
    expect(upload.body.pages).to.have.length(1);
  });

  it('may be empty', async () => {
    const { body } = await kit.admin.post(`${space}/packages`, { title: 'Later' }).expect(201);
    expect(body).to.deep.include({
      ...{ source: 'none', status: 'empty', revision: 0, files: 0, bytes: 0, pages: [] },
      ...{ url: null, files_url: null, entry: null, content_hash: null },
    });
  });

  it('gets a slug of its own, also when many ask at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () =>
        kit.admin.post(`${space}/packages`, { title: 'Schön Ёлка' }).expect(201),
      ),
    );
    const slugs = made.map(({ body }) => body.slug).sort();
    expect(slugs).to.deep.equal(['', '-2', '-3', '-4', '-5'].map((end) => `schon-yolka${end}`));
    const given = await kit.admin.post(`${space}/packages`, { title: 'x', slug: 'Schön Ёлка!' }).expect(201);
    expect(given.body.slug).to.equal('schon-yolka-6');
    const odd = await kit.admin.post(`${space}/packages`, { title: '!!!' }).expect(201);
    expect(odd.body.slug).to.equal(`package-${odd.body.id}`);
  });

  it('is refused when what is given is not right', async () => {
    const post = (body: object) => kit.admin.post(`${space}/packages`, body);
    const refusals: [object, string][] = [
      [{}, 'rest_missing_callback_param'],
      [{ html: '<p>' }, 'rest_missing_callback_param'],
      [{ title: '' }, 'rest_invalid_param'],
      [{ title: ' ' }, 'rest_invalid_param'],
      [{ title: 'x'.repeat(201) }, 'rest_invalid_param'],
      [{ title: 5 }, 'rest_invalid_param'],
      [{ title: 'x', html: '' }, 'rest_invalid_param'],
      [{ title: 'x', html: 5 }, 'rest_invalid_param'],
    ];
    for (const [body, code] of refusals) expect((await post(body).expect(400)).body.code).to.equal(code);
    const both = await kit.upload(zipOf(smallExport), { html: '<p>' }).expect(400);
    expect(both.body.code).to.equal('rest_invalid_param');
    const none = await kit.admin.post(`${space}/packages`).field('title', 'x').expect(400);
    expect(none.body).to.deep.include({ code: 'rest_missing_callback_param' });
    const huge = await post({ title: 'x', html: 'x'.repeat(5 * 1024 * 1024 + 1) }).expect(413);
    expect(huge.body.code).to.equal('rest_body_too_large');
  });

  it('obeys the limits of the network', async () => {
    await kit.lyceum.make.settings('embed_packages', { max_html_bytes: 10, max_zip_bytes: 100 });
    const html = await kit.admin.post(`${space}/packages`, { title: 'x', html: 'ж'.repeat(6) }).expect(413);
    expect(html.body.code).to.equal('rest_body_too_large');
    const zip = await kit.upload(zipOf(smallExport)).expect(413);
    expect(zip.body.code).to.equal('rest_body_too_large');
    const file = await kit.upload(Buffer.from('<p>longer than ten'), {}, 'x.html').expect(413);
    expect(file.body.code).to.equal('rest_body_too_large');
    const five = 5 * 1024 * 1024;
    await kit.lyceum.make.settings('embed_packages', { max_html_bytes: five, max_zip_bytes: 100 * five });
  });
});
