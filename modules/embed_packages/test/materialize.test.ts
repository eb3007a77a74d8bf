import { expect } from 'chai';
import { PackageKit, space } from './package-kit.ts';

interface Made {
  readonly page_id: number;
  readonly path: string;
  readonly title: string;
  readonly slug: string;
  readonly url: string;
}

describe('embed_packages: pages made of documents', () => {
  let kit: PackageKit;
  before(async () => {
    kit = await PackageKit.start();
    await kit.lyceum.make.settings('host', { languages: ['en', 'ru'] });
  });
  after(() => kit.lyceum.stop());

  const make = (id: number, body: object = {}, client = kit.admin) =>
    client.post(`${space}/packages/${id}/materialize-pages`, body);
  const page = async (id: number) => (await kit.admin.get(`svc/host/v1/posts/${id}`).expect(200)).body;
  const idsOf = (made: readonly Made[]): number[] => made.map(({ page_id }) => page_id);

  it('are one for each, with title, place and language, bound to it; the second time they are there', async () => {
    const record = await kit.package({
      'index.html': '<html lang="ru-RU"><title>Начало</title>',
      'b.html': '<html lang="fr"><title>Two</title>',
      'a/no-title.html': '<p>',
    });
    const { body } = await make(record.id).expect(200);
    expect(body).to.deep.include({ package_id: record.id, existing: [], total: 3 });
    const created = body.created as Made[];
    expect(created.map(({ path, title, slug }) => [path, title, slug])).to.deep.equal([
      ['index.html', 'Начало', 'nachalo'],
      ['a/no-title.html', 'no-title', 'no-title'],
      ['b.html', 'Two', 'two'],
    ]);
    const [first, , third] = await Promise.all(idsOf(created).map(page));
    expect(first).to.deep.include({ type: 'page', status: 'draft', lang: 'ru', menu_order: 0, content: '' });
    expect(third).to.deep.include({ lang: 'en', menu_order: 2, slug: 'two' });
    expect(created[2]?.url).to.equal(third.permalink);
    const bound = await kit.admin.get(`${space}/pages/${created[1]?.page_id}/package`).expect(200);
    expect(bound.body).to.deep.include({
      package_id: record.id,
      path: 'a/no-title.html',
      materialized: true,
    });
    const again = await make(record.id).expect(200);
    expect(again.body.created).to.deep.equal([]);
    expect(again.body).to.deep.include({ total: 3 });
    expect(again.body.existing).to.deep.equal(created.map(({ page_id, path }) => ({ page_id, path })));
  });

  it('come once, however many ask at once', async () => {
    const record = await kit.package();
    const answers = await Promise.all(Array.from({ length: 6 }, () => make(record.id).expect(200)));
    const created = answers.flatMap(({ body }) => idsOf(body.created));
    expect(created).to.have.length(2);
    for (const { body } of answers) expect(body.total).to.equal(2);
    const { body } = await kit.admin.get(`${space}/packages/${record.id}`);
    expect(body.bound_page_ids).to.deep.equal([...created].sort((a, b) => a - b));
  });

  it('are those that are wanted, where they are wanted', async () => {
    const record = await kit.package();
    const parent = await kit.page();
    const term = await kit.admin
      .post('svc/host/v1/terms', { taxonomy: 'course_section', name: 'Section' })
      .expect(201);
    const body = { paths: ['a/b.html'], status: 'publish', parent_id: parent, section_id: term.body.id };
    const made = (await make(record.id, body).expect(200)).body.created as Made[];
    expect(made.map(({ path }) => path)).to.deep.equal(['a/b.html']);
    const shown = await page(made[0]?.page_id ?? 0);
    expect(shown).to.deep.include({ status: 'publish', parent_id: parent });
    expect(shown.terms.course_section).to.deep.equal([term.body.id]);
    expect(made[0]?.url).to.equal(shown.permalink);
    await kit.lyceum.make.settings('embed_packages', { materialize_status: 'publish' });
    const rest = (await make(record.id).expect(200)).body;
    expect(rest.existing).to.have.length(1);
    expect((await page(rest.created[0].page_id)).status).to.equal('publish');
    await kit.lyceum.make.settings('embed_packages', { materialize_status: 'draft' });
  });

  it('are made again for one whose page is in the trash, and not for one that shows the entry', async () => {
    const record = await kit.package();
    const shows = await kit.page();
    await kit.admin.put(`${space}/pages/${shows}/package`, { package_id: record.id }).expect(200);
    const first = (await make(record.id).expect(200)).body;
    expect(first.existing).to.deep.equal([{ page_id: shows, path: 'index.html' }]);
    const [made] = idsOf(first.created);
    await kit.admin.delete(`svc/host/v1/posts/${made}`).expect(200);
    const second = (await make(record.id).expect(200)).body;
    expect(second.created.map(({ path }: Made) => path)).to.deep.equal(['a/b.html']);
  });

  it('are all made or none', async () => {
    const record = await kit.package();
    const before = await kit.count('posts');
    const refuse = async (body: object, status: number, code: string) => {
      const answer = await make(record.id, body).expect(status);
      expect(answer.body.code, JSON.stringify(body).slice(0, 80)).to.equal(code);
    };
    await refuse({ paths: ['index.html', 'no.html'] }, 400, 'rest_invalid_param');
    await refuse({ paths: ['img.png'] }, 400, 'rest_invalid_param');
    await refuse({ paths: 'index.html' }, 400, 'rest_invalid_param');
    await refuse({ paths: Array(501).fill('index.html') }, 400, 'rest_invalid_param');
    await refuse({ status: 'private' }, 400, 'rest_invalid_param');
    await refuse({ parent_id: 999_999 }, 404, 'embed_packages_page_not_found');
    await refuse({ parent_id: 'x' }, 400, 'rest_invalid_param');
    await refuse({ section_id: 999_999 }, 400, 'rest_invalid_param');
    const category = await kit.admin
      .post('svc/host/v1/terms', { taxonomy: 'category', name: 'C' })
      .expect(201);
    await refuse({ section_id: category.body.id }, 400, 'rest_invalid_param');
    const empty = await kit.admin.post(`${space}/packages`, { title: 'x' }).expect(201);
    expect((await make(empty.body.id).expect(409)).body.code).to.equal('embed_packages_no_content');
    expect((await make(999_999).expect(404)).body.code).to.equal('embed_packages_not_found');
    expect(await kit.count('posts')).to.equal(before);
  });

  it('are 500 a call at most', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 501 }, (_none, at) => [`p${String(at).padStart(3, '0')}.html`, `<title>P${at}`]),
    );
    const record = await kit.package({ ...files, 'index.html': 'x' });
    expect((await make(record.id).expect(400)).body.code).to.equal('rest_invalid_param');
    const paths = record.pages.slice(0, 500).map(({ path }: Made) => path);
    expect((await make(record.id, { paths }).expect(200)).body.created).to.have.length(500);
    const rest = await make(record.id, { paths: record.pages.slice(490).map(({ path }: Made) => path) });
    expect([rest.body.created.length, rest.body.existing.length]).to.deep.equal([2, 10]);
  });
});
