import type { Client } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PackageKit, smallExport, space } from './package-kit.ts';
import { zipOf } from './zip-maker.ts';

interface Ids {
  readonly package: number;
  readonly page: number;
}

/** Every operation once. */
const asks = (client: Client, ids: Ids, query = '') => [
  client.get(`${space}/packages${query}`),
  client.post(`${space}/packages${query}`, { title: 'x' }),
  client.get(`${space}/packages/${ids.package}${query}`),
  client.patch(`${space}/packages/${ids.package}${query}`, { title: 'y' }),
  client.post(`${space}/packages/${ids.package}/content${query}`, { html: 'new' }),
  client.post(`${space}/packages/${ids.package}/materialize-pages${query}`, {}),
  client.get(`${space}/pages/${ids.page}/package${query}`),
  client.put(`${space}/pages/${ids.page}/package${query}`, { package_id: ids.package }),
  client.delete(`${space}/pages/${ids.page}/package${query}`),
  client.post(`${space}/batch${query}`, { operations: [{ op: 'delete', id: 999_999 }] }),
  client.delete(`${space}/packages/${ids.package}${query}`),
];

const answers = async (client: Client, ids: Ids, query = '') => {
  const found: string[] = [];
  for (const ask of asks(client, ids, query)) {
    const { status, body } = await ask;
    found.push(`${status}${status >= 400 ? ` ${body.code}` : ''}`);
  }
  return found;
};

const allOf = (word: string): string[] => Array(11).fill(word);
const done = ['200', '201', '200', '200', '200', '200', '200', '200', '200', '200', '200'];

describe('embed_packages: who may', () => {
  let kit: PackageKit;
  let ids: Ids;
  before(async () => {
    kit = await PackageKit.start();
    ids = { package: (await kit.package()).id, page: await kit.page() };
  });
  after(() => kit.lyceum.stop());

  it('is whoever manages the network, and nobody else', async () => {
    const { lyceum } = kit;
    expect(await answers(lyceum.anonymous, ids)).to.deep.equal(allOf('401 rest_forbidden'));
    for (const role of ['subscriber', 'author', 'editor', 'administrator']) {
      const client = lyceum.as(await lyceum.make.user({ role }));
      expect(await answers(client, ids), role).to.deep.equal(allOf('403 rest_forbidden'));
    }
    const network = await lyceum.make.network();
    const stranger = lyceum.as(await lyceum.make.user({ superAdminOf: network.network_id }));
    expect(await answers(stranger, ids)).to.deep.equal(allOf('403 rest_forbidden'));
    expect((await kit.admin.get(`${space}/packages/${ids.package}`)).body.revision).to.equal(1);
  });

  it('may on any site of the network, and on none of another', async () => {
    const { lyceum } = kit;
    const network = await lyceum.make.network();
    for (const query of [
      '?blog_id=0',
      '?blog_id=x',
      '?blog_id=1.5',
      '?blog_id=-1',
      '?blog_id=',
      '?blog_id=99999999999',
    ]) {
      expect(await answers(kit.admin, ids, query), query).to.deep.equal(
        allOf('400 embed_packages_invalid_blog'),
      );
    }
    for (const blog of [999_999, network.blog_id]) {
      const found = await answers(kit.admin, ids, `?blog_id=${blog}`);
      expect(found).to.deep.equal(allOf('404 embed_packages_unknown_blog'));
    }
    const editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
    expect(await answers(editor, ids, '?blog_id=999999')).to.deep.equal(allOf('403 rest_forbidden'));
    expect(await answers(lyceum.anonymous, ids, '?blog_id=0')).to.deep.equal(allOf('401 rest_forbidden'));
  });

  it('finds nothing of one site on another', async () => {
    const site = await kit.lyceum.make.site();
    const there = `?blog_id=${site.blog_id}`;
    const found = await answers(kit.admin, ids, there);
    const gone = '404 embed_packages_not_found';
    const noPage = '404 embed_packages_page_not_found';
    expect(found).to.deep.equal(['200', '201', gone, gone, gone, gone, noPage, noPage, noPage, '200', gone]);
    const record = (await kit.admin.post(`${space}/packages${there}`, { title: 'x', html: 'x' }).expect(201))
      .body;
    expect(record.blog_id).to.equal(site.blog_id);
    expect(record.url).to.contain(`${site.path}files/embed-packages/`);
    expect((await kit.ask(record.url)).status).to.equal(200);
    expect(await kit.raw(new URL(record.url).pathname.replace(site.path, '/'))).to.equal(404);
    const foreign = await kit.admin
      .put(`${space}/pages/${ids.page}/package`, { package_id: record.id })
      .expect(404);
    expect(foreign.body.code).to.equal('embed_packages_not_found');
  });

  it('gets 400 for what is no id', async () => {
    for (const id of ['0', '-1', 'x', '1.5', '99999999999']) {
      const { body } = await kit.admin.get(`${space}/packages/${id}`).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
    }
  });

  it('on an installation of one site is an editor', async () => {
    const single = await PackageKit.start({ config: { multisite: 'off' } });
    const { lyceum } = single;
    const editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
    const { body } = await single.upload(zipOf(smallExport), {}, 'x.zip', editor).expect(201);
    const page = await single.page({}, editor);
    const own = { package: body.id, page };
    const author = lyceum.as(await lyceum.make.user({ role: 'author' }));
    expect(await answers(author, own)).to.deep.equal(allOf('403 rest_forbidden'));
    expect(await answers(editor, own, '?blog_id=2')).to.deep.equal(allOf('400 embed_packages_invalid_blog'));
    expect(await answers(editor, own)).to.deep.equal(done);
    await lyceum.stop();
  });

  it('does not exist where the module is off, and neither do the files', async () => {
    const record = await kit.package();
    await kit.admin.put('svc/modules/v1/modules/embed_packages', { enabled: false }).expect(200);
    expect(await answers(kit.admin, ids)).to.deep.equal(allOf('404 rest_no_route'));
    expect((await kit.ask(record.url)).status).to.equal(404);
    await kit.admin.put('svc/modules/v1/modules/embed_packages', { enabled: true }).expect(200);
    expect((await kit.ask(record.url)).status).to.equal(200);
  });
});

describe('embed_packages: the list', () => {
  let kit: PackageKit;
  const titles = ['Gamma', 'alpha', 'Beta', 'Alpha 100%', 'delta'];
  before(async () => {
    kit = await PackageKit.start();
    for (const title of titles) await kit.admin.post(`${space}/packages`, { title, html: title }).expect(201);
  });
  after(() => kit.lyceum.stop());

  const list = async (query: string) => {
    const { body, headers } = await kit.admin.get(`${space}/packages${query}`).expect(200);
    return { titles: body.packages.map(({ title }: { title: string }) => title), headers, body };
  };

  it('begins with what was changed last, in pages, without documents', async () => {
    const { titles: all, body, headers } = await list('');
    expect(all).to.deep.equal([...titles].reverse());
    expect(body.blog_id).to.equal(1);
    expect(body.packages[0]).to.not.have.property('pages');
    expect(body.packages[0]).to.deep.include({ status: 'ready', bound_page_ids: [] });
    expect([headers['x-svc-total'], headers['x-svc-totalpages']]).to.deep.equal(['5', '1']);
    const second = await list('?per_page=2&page=2');
    expect(second.titles).to.deep.equal(['Beta', 'alpha']);
    expect(second.headers.link).to.contain('rel="next"').and.contain('rel="prev"');
  });

  it('is put in order, and searched by title and slug', async () => {
    expect((await list('?orderby=id&order=asc')).titles).to.deep.equal(titles);
    const sorted = ['alpha', 'Alpha 100%', 'Beta', 'delta', 'Gamma'];
    expect((await list('?orderby=title&order=asc')).titles).to.deep.equal(sorted);
    expect((await list('?search=ALPHA&orderby=id&order=asc')).titles).to.deep.equal(['alpha', 'Alpha 100%']);
    expect((await list('?search=alpha-100')).titles).to.deep.equal(['Alpha 100%']);
    expect((await list('?search=100%25')).titles).to.deep.equal(['Alpha 100%']);
    expect((await list('?search=_')).titles).to.deep.equal([]);
    for (const query of ['?orderby=token', '?order=up', '?page=0', '?per_page=101']) {
      expect((await kit.admin.get(`${space}/packages${query}`).expect(400)).body.code).to.equal(
        'rest_invalid_param',
      );
    }
  });

  it('names the pages that show each of them', async () => {
    const page = await kit.page();
    const first = (await list('?per_page=1')).body.packages[0];
    await kit.admin.put(`${space}/pages/${page}/package`, { package_id: first.id }).expect(200);
    expect((await list('?per_page=5')).body.packages[0].bound_page_ids).to.deep.equal([page]);
  });

  it('notes who did what', async () => {
    const rows = await kit.lyceum.host.db.knex('audit_log').where('module', 'embed_packages').orderBy('id');
    expect(rows.map(({ action }) => action)).to.deep.equal([
      ...Array(5).fill('package.create'),
      'package.bind',
    ]);
    expect(rows[0].to).to.include({ title: 'Gamma', files: 1 });
    expect(rows[0].to.content_hash).to.match(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(rows)).to.not.match(/[^0-9a-f][0-9a-f]{32}[^0-9a-f]/);
  });
});
