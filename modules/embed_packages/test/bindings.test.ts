import { html, PageRenderer, Posts } from '@lyceum/core';
import { expect } from 'chai';
import { type PackageFile, PackageFiles } from '../api.ts';
import { PackageKit, smallExport, space } from './package-kit.ts';
import { zipOf } from './zip-maker.ts';

const frame = (url: string, title: string): string =>
  `<iframe src="${url}" sandbox="allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-presentation" allowfullscreen title="${title}"></iframe>`;

const nothing = {
  ...{ package_id: null, path: null, path_missing: false, package_exists: false, title: null, url: null },
  ...{ materialized: false, updated_at: null },
};

describe('embed_packages: a page', () => {
  let kit: PackageKit;
  before(async () => {
    kit = await PackageKit.start();
  });
  after(() => kit.lyceum.stop());

  const route = (page: number | string): string => `${space}/pages/${page}/package`;
  const read = async (page: number) => (await kit.admin.get(route(page)).expect(200)).body;
  const bind = async (page: number, body: object) =>
    (await kit.admin.put(route(page), body).expect(200)).body;

  async function rendered(page: number) {
    const renderer = kit.lyceum.host.services.host(PageRenderer);
    const [place, post] = [await renderer.place(1), await kit.lyceum.host.services.host(Posts).find(1, page)];
    if (!place || !post) throw new Error('There is no such page.');
    return renderer.render(place, post, () => html``);
  }

  it('shows the entry of a package, or one document of it', async () => {
    const record = await kit.package();
    const page = await kit.page();
    expect(await read(page)).to.deep.equal({ page_id: page, ...nothing });
    const bound = await bind(page, { package_id: record.id });
    expect(bound).to.deep.include({
      ...{ page_id: page, package_id: record.id, path: null, path_missing: false, package_exists: true },
      ...{ title: record.title, url: record.url, materialized: false },
    });
    expect(await bind(page, { package_id: record.id, path: null })).to.deep.equal(bound);
    const other = await bind(page, { package_id: record.id, path: 'a/b.html' });
    expect(other).to.deep.include({ path: 'a/b.html', url: record.pages[1].url });
    expect(other.updated_at > bound.updated_at).to.equal(true);
    const { body } = await kit.admin.get(`${space}/packages/${record.id}`);
    expect(body.bound_page_ids).to.deep.equal([page]);
    for (const method of ['post', 'patch'] as const) {
      const again = await kit.admin[method](route(page), { package_id: record.id }).expect(200);
      expect(again.body.path).to.equal(null);
    }
  });

  it('has the frame behind its content, and another stamp when it shows something else', async () => {
    const record = await kit.package({ 'index.html': '<title>x</title>', 'a b/ж?#.html': 'x' });
    await kit.admin.patch(`${space}/packages/${record.id}`, { title: 'A "<b>"' }).expect(200);
    const page = await kit.page();
    const bare = await rendered(page);
    expect(bare.html).to.equal('<p>Own</p>');
    await bind(page, { package_id: record.id });
    const one = await rendered(page);
    expect(one.html).to.equal(`<p>Own</p>\n${frame(record.url, 'A &quot;&lt;b&gt;&quot;')}`);
    await bind(page, { package_id: record.id, path: 'a b/ж?#.html' });
    const two = await rendered(page);
    expect(two.html).to.contain('/a%20b/%D0%B6%3F%23.html"');
    expect(new Set([bare.stamp, one.stamp, two.stamp]).size).to.equal(3);
    const url = /src="([^"]+)"/.exec(two.html)?.[1] ?? '';
    expect((await kit.ask(url)).text).to.equal('x');
    await kit.admin.delete(route(page)).expect(200);
    expect(await rendered(page)).to.deep.equal(bare);
  });

  it('falls back to the entry when its document is gone, and follows one that stays', async () => {
    const record = await kit.package();
    const [gone, stays] = [await kit.page(), await kit.page()];
    await bind(gone, { package_id: record.id, path: 'a/b.html' });
    await bind(stays, { package_id: record.id, path: 'index.html' });
    const after = await kit.replace(record.id, zipOf({ 'index.html': 'new' })).expect(200);
    expect(after.body.revision).to.equal(2);
    expect(await read(gone)).to.deep.include({
      ...{ path: 'a/b.html', path_missing: true, package_exists: true, url: after.body.url },
    });
    expect(await read(stays)).to.deep.include({ path_missing: false, url: after.body.url });
    expect((await rendered(gone)).html).to.contain(frame(after.body.url, record.title));
    expect((await kit.ask(record.url)).status).to.equal(200);
  });

  it('stays bound to a package that is deleted, and shows its own content only', async () => {
    const record = await kit.package();
    const page = await kit.page();
    await bind(page, { package_id: record.id, path: 'a/b.html' });
    await kit.admin.delete(`${space}/packages/${record.id}`).expect(200);
    expect(await read(page)).to.deep.include({
      ...{ package_id: record.id, package_exists: false, path_missing: false, title: null, url: null },
    });
    expect((await rendered(page)).html).to.equal('<p>Own</p>');
    const first = await kit.admin.delete(route(page)).expect(200);
    expect(first.body).to.deep.equal({ deleted: true, page_id: page });
    const second = await kit.admin.delete(route(page)).expect(200);
    expect(second.body).to.deep.equal({ deleted: false, page_id: page });
  });

  it('may be bound to a package that has no content yet', async () => {
    const { body } = await kit.admin.post(`${space}/packages`, { title: 'Later' }).expect(201);
    const page = await kit.page();
    const bound = await bind(page, { package_id: body.id });
    expect(bound).to.deep.include({ package_exists: true, url: null, title: 'Later' });
    expect((await rendered(page)).html).to.equal('<p>Own</p>');
    const ready = await kit.admin.post(`${space}/packages/${body.id}/content`, { html: '<p>' }).expect(200);
    expect((await read(page)).url).to.equal(ready.body.url);
  });

  it('that is none is not found, whatever the id looks like', async () => {
    const record = await kit.package();
    const post = await kit.page({ type: 'post' });
    const trashed = await kit.page();
    await kit.admin.delete(`svc/host/v1/posts/${trashed}`).expect(200);
    for (const page of [post, trashed, 999_999, 0, -1, 'x', '1.5', 99_999_999_999]) {
      for (const ask of [
        () => kit.admin.get(route(page)),
        () => kit.admin.put(route(page), { package_id: record.id }),
        () => kit.admin.delete(route(page)),
      ]) {
        const { body } = await ask().expect(404);
        expect(body.code, String(page)).to.equal('embed_packages_page_not_found');
      }
    }
  });

  it('is bound to nothing that is not there', async () => {
    const record = await kit.package();
    const page = await kit.page();
    const put = (body: object) => kit.admin.put(route(page), body);
    expect((await put({ package_id: 999_999 }).expect(404)).body.code).to.equal('embed_packages_not_found');
    for (const path of ['no.html', 'img.png', '', '../index.html', 5]) {
      const { body } = await put({ package_id: record.id, path }).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
    }
    expect((await put({}).expect(400)).body.code).to.equal('rest_missing_callback_param');
    for (const package_id of [0, 'x', null, 1.5]) {
      expect((await put({ package_id }).expect(400)).body.code).to.equal('rest_invalid_param');
    }
    expect(await read(page)).to.deep.equal({ page_id: page, ...nothing });
  });

  it('takes its binding along when it is deleted, and keeps it in the trash', async () => {
    const record = await kit.package();
    const page = await kit.page();
    await bind(page, { package_id: record.id });
    await kit.admin.delete(`svc/host/v1/posts/${page}`).expect(200);
    const { body } = await kit.admin.get(`${space}/packages/${record.id}`);
    expect(body.bound_page_ids).to.deep.equal([]);
    await kit.admin.patch(`svc/host/v1/posts/${page}`, { status: 'draft' }).expect(200);
    expect((await read(page)).package_id).to.equal(record.id);
    await kit.admin.delete(`svc/host/v1/posts/${page}?force=true`).expect(200);
    const left = await kit.lyceum.host.db.knex('embed_page_bindings').where('page_id', page);
    expect(left).to.deep.equal([]);
  });

  it('is given with all files of what it shows to who packs pages', async () => {
    const record = await kit.package();
    const empty = await kit.admin.post(`${space}/packages`, { title: 'Later' }).expect(201);
    const [shows, other, none] = [await kit.page(), await kit.page(), await kit.page()];
    await bind(shows, { package_id: record.id, path: 'a/b.html' });
    await bind(other, { package_id: empty.body.id });
    const spec = kit.lyceum.host.modules.get('embed_packages');
    if (!spec?.spec) throw new Error('The module is not there.');
    const packages = kit.lyceum.host.services.resolve(spec.spec)(PackageFiles);
    const found = await packages.ofPages(1, [shows, other, none]);
    expect(found).to.have.length(1);
    const [bound] = found;
    expect(bound).to.deep.include({ page_id: shows, package_id: record.id, path: 'a/b.html', revision: 1 });
    const files: PackageFile[] = [];
    for await (const file of bound?.files() ?? []) files.push(file);
    expect(files.map(({ path, mime_type }) => [path, mime_type]).sort()).to.deep.equal([
      ['a/b.html', 'text/html'],
      ['img.png', 'image/png'],
      ['index.html', 'text/html'],
    ]);
    const stored = await kit.files();
    for (const { file_key, bytes, path } of files) {
      expect(stored.some((name) => name.endsWith(file_key))).to.equal(true);
      expect(bytes).to.equal(Buffer.byteLength(smallExport[path as keyof typeof smallExport]));
    }
    expect(await packages.ofPages(2, [shows])).to.deep.equal([]);
  });
});
