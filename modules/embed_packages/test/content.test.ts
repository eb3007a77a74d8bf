import { runSchedule } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PackageKit, smallExport, space } from './package-kit.ts';
import { zipOf } from './zip-maker.ts';

describe('embed_packages: content of a package', () => {
  let kit: PackageKit;
  let now = new Date();
  before(async () => {
    kit = await PackageKit.start({ now: () => now });
  });
  after(() => kit.lyceum.stop());

  const { raw } = { raw: (address: string) => kit.raw(address) };
  const pathOf = (url: string): string => new URL(url).pathname;
  const remove = async () => {
    now = new Date(now.getTime() + 2 * 3_600_000 + 1);
    await runSchedule(kit.lyceum, 'embed_packages.sweep');
  };

  it('is replaced under new addresses; the old ones work until its files are removed', async () => {
    const before = await kit.package();
    const { body } = await kit.replace(before.id, zipOf({ 'index.html': 'new', 'c.html': 'c' })).expect(200);
    expect(body).to.deep.include({
      id: before.id,
      revision: 2,
      files: 2,
      source: 'zip',
      title: before.title,
    });
    expect(body.url).to.not.equal(before.url);
    expect(body.modified_at > before.modified_at).to.equal(true);
    expect((await kit.ask(body.url)).text).to.equal('new');
    expect((await kit.ask(before.url)).text).to.equal(smallExport['index.html']);
    const jobs = await kit.lyceum.host.db.knex('jobs').where({ type: 'embed_packages.remove_files' });
    expect(jobs).to.have.length(1);
    await remove();
    expect((await kit.ask(before.url)).status).to.equal(404);
    expect((await kit.ask(body.url)).status).to.equal(200);
    const stored = (await kit.files()).filter((name) => name.includes(`embed-packages/${before.id}/`));
    expect(stored).to.have.length(2);
  });

  it('that it has already changes nothing', async () => {
    const before = await kit.package();
    const again = await kit.replace(before.id, zipOf(smallExport)).expect(200);
    expect(again.body).to.deep.equal(before);
    const stored = (await kit.files()).filter((name) => name.includes(`embed-packages/${before.id}/`));
    expect(stored).to.have.length(3);
  });

  it('may be HTML that is entered, also of a package that was empty', async () => {
    const { body } = await kit.admin.post(`${space}/packages`, { title: 'Later' }).expect(201);
    const route = `${space}/packages/${body.id}/content`;
    const one = await kit.admin.post(route, { html: '<title>One</title>' }).expect(200);
    expect(one.body).to.deep.include({ status: 'ready', revision: 1, source: 'html', entry: 'index.html' });
    expect(one.body.pages[0].title).to.equal('One');
    const none = await kit.admin.post(route, {}).expect(400);
    expect(none.body).to.deep.include({ code: 'rest_missing_callback_param' });
    expect(none.body.data.params).to.deep.equal(['file']);
    const unknown = await kit.admin.post(`${space}/packages/999999/content`, { html: 'x' }).expect(404);
    expect(unknown.body.code).to.equal('embed_packages_not_found');
  });

  it('of many uploads at once is that of one of them, and no revision comes twice', async () => {
    const { body } = await kit.admin.post(`${space}/packages`, { title: 'Race' }).expect(201);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_none, at) =>
        kit.replace(body.id, zipOf({ 'index.html': `v${at}`, x: 'x' })),
      ),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(6).fill(200));
    const revisions = answers.map((answer) => answer.body.revision).sort();
    expect(revisions).to.deep.equal([1, 2, 3, 4, 5, 6]);
    for (const [at, answer] of answers.entries()) {
      expect((await kit.ask(answer.body.url)).text).to.equal(`v${at}`);
    }
    const last = answers.find((answer) => answer.body.revision === 6)?.body;
    expect((await kit.admin.get(`${space}/packages/${body.id}`)).body).to.deep.equal(last);
    await remove();
    const stored = (await kit.files()).filter((name) => name.includes(`embed-packages/${body.id}/`));
    expect(stored).to.have.length(2);
  });

  it('goes with its package: rows and addresses at once, files after it', async () => {
    const record = await kit.package();
    await kit.replace(record.id, zipOf({ 'index.html': 'new' })).expect(200);
    const { body } = await kit.admin.delete(`${space}/packages/${record.id}`).expect(200);
    expect(body).to.deep.equal({ deleted: true, id: record.id });
    expect((await kit.ask(record.url)).status).to.equal(404);
    const again = await kit.admin.delete(`${space}/packages/${record.id}`).expect(404);
    expect(again.body.code).to.equal('embed_packages_not_found');
    for (const table of ['embed_package_files', 'embed_package_pages']) {
      const rows = await kit.lyceum.host.db.knex(table).where('package_id', record.id);
      expect(rows, table).to.deep.equal([]);
    }
    await remove();
    const stored = (await kit.files()).filter((name) => name.includes(`embed-packages/${record.id}/`));
    expect(stored).to.deep.equal([]);
    expect(await kit.count('embed_package_remains')).to.equal(0);
  });

  it('is renamed, and begins with another document, if it is as it was read', async () => {
    const record = await kit.package();
    const route = `${space}/packages/${record.id}`;
    const { headers } = await kit.admin.get(route).expect(200);
    const etag = String(headers.etag);
    expect((await kit.admin.patch(route, {}).expect(200)).body).to.deep.equal(record);
    const changed = await kit.admin
      .patch(route, { title: 'Other', slug: 'Новый', entry: 'a/b.html', odd: 1 })
      .set('If-Match', etag)
      .expect(200);
    expect(changed.body).to.deep.include({ title: 'Other', slug: 'novyy', entry: 'a/b.html', revision: 1 });
    expect(changed.body.url).to.equal(`${record.files_url}a/b.html`);
    const paths = changed.body.pages.map(({ path }: { path: string }) => path);
    expect(paths).to.deep.equal(['a/b.html', 'index.html']);
    const late = await kit.admin.patch(route, { title: 'Late' }).set('If-Match', etag).expect(412);
    expect(late.body.code).to.equal('precondition_failed');
    await kit.admin.patch(route, { title: 'Now' }).set('If-Match', String(changed.headers.etag)).expect(200);
    for (const entry of ['img.png', 'no.html']) {
      expect((await kit.admin.patch(route, { entry }).expect(400)).body.code).to.equal(
        'embed_packages_no_entry',
      );
    }
    const other = await kit.package();
    const taken = await kit.admin.patch(`${space}/packages/${other.id}`, { slug: 'novyy' }).expect(200);
    expect(taken.body.slug).to.equal('novyy-2');
    const fifty = await Promise.all(
      Array.from({ length: 20 }, (_none, at) =>
        kit.admin.patch(route, { title: `T${at}` }).set('If-Match', String(changed.headers.etag)),
      ),
    );
    expect(fifty.filter(({ status }) => status === 200)).to.have.length(0);
    const fresh = await kit.admin.get(route);
    const race = await Promise.all(
      Array.from({ length: 20 }, (_none, at) =>
        kit.admin.patch(route, { title: `R${at}` }).set('If-Match', String(fresh.headers.etag)),
      ),
    );
    expect(race.filter(({ status }) => status === 200)).to.have.length(1);
  });

  it('is found at its address alone', async () => {
    const [one, two] = [await kit.package(), await kit.package()];
    const home = pathOf(one.files_url);
    const [, , folder = '', revision] = home.slice(1).split('/');
    const token = folder.slice(folder.indexOf('-') + 1);
    const wrong = [
      home,
      home.slice(0, -1),
      `${home}a/`,
      `${home}nothing.html`,
      `${home}index.html/`,
      `${home}%2e%2e/${revision}/index.html`,
      `${home}a/%2e%2e/index.html`,
      `${home}a%2fb.html`,
      `${home}INDEX.HTML`,
      home.replace(`/${revision}/`, '/2/').concat('index.html'),
      home.replace(token, '0'.repeat(32)).concat('index.html'),
      home.replace(token, token.toUpperCase()).concat('index.html'),
      home.replace(`/${one.id}-`, `/${two.id}-`).concat('index.html'),
      home.replace(`/${one.id}-`, '/99999999999-').concat('index.html'),
      home.replace(`-${token}`, '').concat('index.html'),
      '/files/embed-packages/',
    ];
    for (const address of wrong) expect(await raw(address), address).to.equal(404);
    expect(await raw(`${home}a/b.html`)).to.equal(200);
  });

  it('is served by the extension: in part, never as a service worker, the unknown as something to save', async () => {
    const record = await kit.package({
      'index.html': 'x',
      'x.php': '<?php echo 1;',
      '.htaccess': 'Deny from all',
      'a.svg': '<svg/>',
      'b.xyz': 'x',
      'c.js': 'let x',
      'inner.zip': zipOf({ '../x': 'x' }),
      'Ünï cødé/файл (1).css': 'p{}',
    });
    const ask = (path: string, headers = {}, method = 'GET') =>
      kit.ask(`${record.files_url}${path}`, headers, method);
    const kinds: [string, string, string | null][] = [
      ['x.php', 'application/octet-stream', 'attachment'],
      ['.htaccess', 'application/octet-stream', 'attachment'],
      ['b.xyz', 'application/octet-stream', 'attachment'],
      ['inner.zip', 'application/zip', 'attachment'],
      ['a.svg', 'image/svg+xml', null],
      ['c.js', 'text/javascript', null],
      ['%C3%9Cn%C3%AF%20c%C3%B8d%C3%A9/%D1%84%D0%B0%D0%B9%D0%BB%20(1).css', 'text/css', null],
    ];
    for (const [path, type, disposition] of kinds) {
      const { status, headers } = await ask(path, { Cookie: 'svc_session=nonsense' });
      expect([status, headers.get('content-type'), headers.get('content-disposition')], path).to.deep.equal([
        ...[200, type, disposition],
      ]);
      expect(headers.get('content-security-policy'), path).to.match(/^sandbox allow-scripts/);
      expect(headers.get('set-cookie')).to.equal(null);
    }
    const part = await ask('x.php', { Range: 'bytes=2-4' });
    expect([part.status, part.text]).to.deep.equal([206, 'php']);
    expect((await ask('c.js', { 'Service-Worker': 'script' })).status).to.equal(403);
    expect((await ask('c.js', {}, 'HEAD')).status).to.equal(200);
    expect((await ask('c.js', {}, 'POST')).status).to.equal(405);
    expect((await ask('c.js', {}, 'DELETE')).status).to.equal(405);
  });
});
