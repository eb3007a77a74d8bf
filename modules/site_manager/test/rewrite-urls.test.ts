import { createHash } from 'node:crypto';
import { type Client, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { endOfJob, type ShownJob } from './end-of-job.ts';

const sites = 'svc/site-manager/v1/sites';
const posts = 'svc/host/v1/posts';

describe("site_manager: a site's own URLs after a change of its slug", () => {
  let lyceum: TestHost;
  let admin: Client;
  let origin: string;
  before(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'], config: { workers: 'inline' } });
    admin = lyceum.as(await lyceum.make.admin());
    origin = `http://localhost:${lyceum.host.port}`;
  });
  after(() => lyceum.stop());

  const on = async (site: TestSite, slug?: string): Promise<Client> =>
    lyceum.as(await lyceum.make.admin(), slug === undefined ? site : { ...site, path: `/${slug}/` });
  const write = async (here: Client, body: object): Promise<number> =>
    (await here.post(posts, { title: 'A page', status: 'publish', ...body }).expect(201)).body.id as number;
  const rewrites = async (blogId: number): Promise<string[]> =>
    (await lyceum.host.db
      .knex('jobs')
      .where({ type: 'site_manager.rewrite_urls', blog_id: blogId })
      .orderBy('created_at')
      .pluck('job_id')) as string[];
  const move = async (site: TestSite, slug: string): Promise<ShownJob> => {
    const { body } = await admin.patch(`${sites}/${site.blog_id}`, { slug }).expect(200);
    expect(body.path).to.equal(`/${slug}/`);
    return endOfJob(admin, (await rewrites(site.blog_id)).at(-1) ?? '');
  };

  it('lead to the new address, and others stay', async () => {
    const [site, labor] = [await lyceum.make.site('lab'), await lyceum.make.site('labor')];
    const old = await on(site);
    const own = `<a href="${origin}/lab/x">x</a> <img src="//localhost/lab/files/a.png"> (/lab/y)`;
    const linking = await write(old, { content: own, excerpt: `See ${origin}/lab/` });
    const other = await write(old, { content: `<a href="${origin}/labor/x">x</a> ${origin}/ lab/x` });
    const documents = JSON.stringify([{ link: `${origin}/lab/x?a=1` }]).replaceAll('/', '\\/');
    const built = await write(old, {
      type: 'page',
      meta: { editor: 'pagebuilder', pagebuilder_data: documents },
    });
    const foreign = await write(await on(labor), { content: `${origin}/lab/x` });
    const { knex } = lyceum.host.db;
    await knex('posts')
      .where({ id: linking })
      .update({ private_meta: JSON.stringify({ _seen: [`${origin}/lab/z`, 7] }) });
    await knex('site_options').insert([
      { blog_id: site.blog_id, name: 'test_home', value: JSON.stringify({ at: `${origin}/lab/home` }) },
      { blog_id: site.blog_id, name: 'test_secret', value: JSON.stringify({ sealed: `${origin}/lab/` }) },
    ]);
    const term = { blog_id: site.blog_id, taxonomy: 'category', name: 'N', slug: 'n' };
    await knex('terms').insert({
      ...term,
      icon: `${origin}/lab/i.svg`,
      meta: JSON.stringify({ u: '/lab/t' }),
    });
    const before = await old.get(`${posts}/${other}`).expect(200);

    const job = await move(site, 'lab2');
    expect(job).to.deep.include({ status: 'completed', error: null });
    expect(job.result).to.deep.equal({ posts: 2, terms: 1, options: 1, urls: 9 });
    await old.get(posts).expect(404);
    const here = await on(site, 'lab2');
    const { body } = await here.get(`${posts}/${linking}`).expect(200);
    expect(body.content).to.equal(own.replaceAll('/lab/', '/lab2/'));
    expect(body.excerpt).to.equal(`See ${origin}/lab2/`);
    const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
    expect(body.hash).to.equal(sha(body.content));
    const unchanged = await here.get(`${posts}/${other}`).expect(200);
    expect(unchanged.body).to.deep.include({ content: before.body.content, hash: before.body.hash });
    const page = (await here.get(`${posts}/${built}`).expect(200)).body;
    expect(page.meta.pagebuilder_data).to.equal(documents.replaceAll('\\/lab\\/', '\\/lab2\\/'));
    expect(page.hash).to.equal(sha(page.meta.pagebuilder_data));
    const elsewhere = await (await on(labor)).get(`${posts}/${foreign}`).expect(200);
    expect(elsewhere.body.content).to.equal(`${origin}/lab/x`);
    const row = await knex('posts').where({ id: linking }).first('private_meta');
    expect(row.private_meta).to.deep.equal({ _seen: [`${origin}/lab2/z`, 7] });
    const options = await knex('site_options')
      .where({ blog_id: site.blog_id })
      .whereIn('name', ['test_home', 'test_secret'])
      .orderBy('name')
      .pluck('value');
    expect(options).to.deep.equal([{ at: `${origin}/lab2/home` }, { sealed: `${origin}/lab/` }]);
    const found = await knex('terms').where(term).first('icon', 'meta');
    expect(found).to.deep.equal({ icon: `${origin}/lab2/i.svg`, meta: { u: '/lab2/t' } });
  });

  it('are found by the words that they have then', async () => {
    const site = await lyceum.make.site('oldword');
    const id = await write(await on(site), { content: `<p>${origin}/oldword/x</p>` });
    await move(site, 'newword');
    const here = await on(site, 'newword');
    const search = async (word: string): Promise<number[]> =>
      (await here.get(`${posts}?search=${word}`).expect(200)).body.map((post: { id: number }) => post.id);
    expect(await search('newword')).to.deep.equal([id]);
    expect(await search('oldword')).to.deep.equal([]);
  });

  it("follow two changes in a row, many posts, and lose nobody's edit", async () => {
    const site = await lyceum.make.site('one');
    const { knex } = lyceum.host.db;
    await knex.raw(
      `insert into posts (blog_id, type, status, title, slug, content, author_id, lang, hash, search)
       select ?, 'post', 'publish', 'n', 'n' || n, ? || n, 1, 'en', '', '' from generate_series(1, 450) n`,
      [site.blog_id, `${origin}/one/p`],
    );
    const first = await knex('posts').where({ blog_id: site.blog_id }).orderBy('id').first('id');
    await admin.patch(`${sites}/${site.blog_id}`, { slug: 'two' }).expect(200);
    await admin.patch(`${sites}/${site.blog_id}`, { slug: 'three' }).expect(200);
    const here = await on(site, 'three');
    const edited = await here.patch(`${posts}/${first.id}`, { title: 'Edited' }).expect(200);
    expect(edited.body.title).to.equal('Edited');
    const ids = await rewrites(site.blog_id);
    expect(ids).to.have.length(2);
    for (const id of ids) expect((await endOfJob(admin, id)).status).to.equal('completed');
    const wrong = await knex('posts')
      .where({ blog_id: site.blog_id })
      .whereRaw(`content not like ?`, [`${origin}/three/p%`])
      .pluck('content');
    expect(wrong).to.deep.equal([]);
    expect((await here.get(`${posts}/${first.id}`).expect(200)).body.title).to.equal('Edited');
    const events = await admin.get(`svc/site-manager/v1/jobs/${ids[0]}`).expect(200);
    expect(events.body.progress).to.deep.equal({ percent: 100, current: 450, total: 450 });
  });

  it('are left alone by a change that leaves the slug, and rewritten when a site returns under another', async () => {
    const site = await lyceum.make.site('stays');
    const id = await write(await on(site), { content: `${origin}/stays/x` });
    await admin.patch(`${sites}/${site.blog_id}`, { title: 'New', slug: 'stays' }).expect(200);
    expect(await rewrites(site.blog_id)).to.deep.equal([]);
    await admin.delete(`${sites}/${site.blog_id}?drop_tables=false`).expect(200);
    await admin.post(`${sites}/${site.blog_id}/restore`, { slug: 'returns' }).expect(200);
    const [job] = await rewrites(site.blog_id);
    expect((await endOfJob(admin, job ?? '')).result).to.deep.include({ posts: 1, urls: 1 });
    const { body } = await (await on(site, 'returns')).get(`${posts}/${id}`).expect(200);
    expect(body.content).to.equal(`${origin}/returns/x`);
    const taken = await admin.patch(`${sites}/${site.blog_id}`, { slug: 'labor' });
    expect(taken.status).to.equal(409);
    expect(await rewrites(site.blog_id)).to.have.length(1);
  });
});

describe("site_manager: a site's own URLs after a change of its sub-domain", () => {
  it('lead to the new host, and those of other hosts stay', async () => {
    const baseUrl = new URL('https://school.example/');
    const lyceum = await startTestHost({
      modules: ['site_manager'],
      database: 'empty',
      config: { multisite: 'subdomain', baseUrl, workers: 'inline' },
    });
    const admin = await lyceum.make.admin();
    const at = (domain: string) => lyceum.as(admin, { domain, path: '/' });
    const home = at('school.example');
    const { body: site } = await home.post(sites, { title: 'Lab', slug: 'lab' }).expect(201);
    const content = [
      'https://lab.school.example/x',
      'https://xlab.school.example/x',
      'https://lab.school.example.evil/x',
      'https://school.example/lab',
      'mail@lab.school.example',
    ];
    const written = await at('lab.school.example')
      .post(posts, { title: 'A', content: content.join(' ') })
      .expect(201);
    await home.patch(`${sites}/${site.blog_id}`, { slug: 'labs' }).expect(200);
    const [job] = (await home.get('svc/site-manager/v1/jobs?type=site_manager.rewrite_urls').expect(200))
      .body;
    expect((await endOfJob(home, job.job_id)).result).to.deep.include({ posts: 1, urls: 1 });
    const { body } = await at('labs.school.example').get(`${posts}/${written.body.id}`).expect(200);
    expect(body.content).to.equal(['https://labs.school.example/x', ...content.slice(1)].join(' '));
    await lyceum.stop();
  });
});
