import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { documentOf, hashes, items, type Studio, StudioKit } from './studio-kit.ts';

const hashOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

describe('studio_sync: documents', () => {
  let kit: StudioKit;
  let studio: Studio;
  before(async () => {
    kit = await StudioKit.start();
    studio = await kit.studio(await kit.lyceum.make.user({ role: 'editor' }));
  });
  after(() => kit.lyceum.stop());

  const listed = async (query = '', who = studio): Promise<Record<string, unknown>[]> =>
    (await kit.lyceum.as(who).get(`${items}${query}`).expect(200)).body.items;
  const ids = async (query = '', who = studio) => (await listed(query, who)).map(({ post_id }) => post_id);

  it('are listed by id without their texts, of every status but the trash', async () => {
    const made: number[] = [];
    for (const status of ['publish', 'draft', 'private', 'pending'])
      made.push((await kit.post({ status })).id);
    const planned = { status: 'future', created_at: '2090-01-01T00:00:00Z' };
    made.push((await kit.post(planned)).id);
    const trashed = await kit.post();
    await kit.lyceum.as(kit.admin).delete(`svc/host/v1/posts/${trashed.id}`).expect(200);
    const found = await listed();
    const mine = found.filter(({ post_id }) => made.includes(post_id as number));
    expect(mine.map(({ status }) => status)).to.deep.equal([
      'publish',
      'draft',
      'private',
      'pending',
      'future',
    ]);
    expect(mine[0]).to.have.all.keys('post_id', 'post_type', 'slug', 'editor', 'hash', 'title', 'status');
    expect(mine[0]?.hash).to.equal(hashes.hello);
    const all = found.map(({ post_id }) => post_id as number);
    expect(all).to.deep.equal([...all].sort((a, b) => a - b));
    expect(all).not.to.include(trashed.id);
  });

  it('are listed by the types that are asked for', async () => {
    const page = await kit.post();
    const modal = await kit.post({ type: 'modal' });
    const post = await kit.post({ type: 'post' });
    const course = await kit.post({ type: 'course' });
    const some = [page.id, modal.id, post.id, course.id];
    const of = async (query: string) => (await ids(query)).filter((id) => some.includes(id as number));
    expect(await of('')).to.deep.equal([page.id, modal.id]);
    expect(await of('?post_type=post,course')).to.deep.equal([post.id, course.id]);
    expect(await of('?post_type=modal,modal')).to.deep.equal([modal.id]);
    for (const wrong of ['attachment', 'form', 'page,', 'Page', '', 'page,nope']) {
      const { body } = await kit.lyceum.as(studio).get(`${items}?post_type=${wrong}`).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
      expect(body.data.params).to.have.all.keys('post_type');
    }
  });

  it('of a type whose module is off are unknown', async () => {
    const course = await kit.post({ type: 'course' });
    await kit.read(studio, course.id).expect(200);
    const { hash } = (await kit.read(studio, course.id)).body.item;
    await kit.lyceum.as(kit.admin).put('svc/modules/v1/modules/lms', { enabled: false }).expect(200);
    await kit.read(studio, course.id).expect(404);
    await kit.write(studio, course.id, { base_hash: hash, content: 'x' }).expect(404);
    expect(await ids('?post_type=course')).to.deep.equal([]);
    await kit.lyceum.as(kit.admin).put('svc/modules/v1/modules/lms', { enabled: true }).expect(200);
    await kit.read(studio, course.id).expect(200);
  });

  it('name their editor, and change with every path that writes', async () => {
    const turbo = await kit.post({ meta: { editor: 'turbo', turbo_html: '<p>T</p>' } });
    const page = await kit.post({ meta: { editor: 'pagebuilder' } });
    const odd = await kit.post({ meta: { editor: 'nothing of the kind' } });
    const editors = new Map((await listed()).map((item) => [item.post_id, item]));
    expect(editors.get(turbo.id)).to.deep.include({ editor: 'turbo', hash: hashOf('<p>T</p>') });
    expect(editors.get(page.id)).to.deep.include({ editor: 'pagebuilder', hash: hashes.emptyPage });
    expect(editors.get(odd.id)).to.deep.include({ editor: 'block', hash: hashes.hello });
    expect((await kit.read(studio, page.id).expect(200)).body.item.content).to.equal('[]');
    const change = { meta: { editor: 'turbo', turbo_html: '<b>now</b>' } };
    await kit.lyceum.as(kit.admin).patch(`svc/host/v1/posts/${page.id}`, change).expect(200);
    const now = (await kit.read(studio, page.id).expect(200)).body.item;
    expect(now).to.deep.include({ editor: 'turbo', content: '<b>now</b>', hash: hashOf('<b>now</b>') });
  });

  it('are read whole, under their hash', async () => {
    const parent = await kit.post({ slug: 'above' });
    const post = await kit.post({ slug: 'below', parent_id: parent.id, menu_order: 3, lang: 'ru' });
    const answer = await kit.read(studio, post.id).expect(200);
    const { modified_at, ...item } = answer.body.item;
    expect(answer.headers.etag).to.equal(`"${hashes.hello}"`);
    expect(item).to.deep.equal({
      post_id: post.id,
      post_type: 'page',
      slug: 'below',
      editor: 'block',
      hash: hashes.hello,
      title: 'A page',
      status: 'publish',
      content: '<p>Hello</p>',
      permalink: `http://localhost:${kit.lyceum.host.port}/above/below/`,
      parent_id: parent.id,
      menu_order: 3,
      lang: 'ru',
      revision_id: null,
    });
    expect(modified_at).to.match(/^\d{4}-.*Z$/);
    await kit.read(studio, post.id).set('If-None-Match', `"${hashes.hello}"`).expect(304);
    await kit.read(studio, post.id).set('If-None-Match', `"${hashes.privet}"`).expect(200);
  });

  it('that are not there are all unknown alike', async () => {
    const site = await kit.lyceum.make.site();
    const foreign = await kit.post({}, kit.admin, site);
    const trashed = await kit.post();
    await kit.lyceum.as(kit.admin).delete(`svc/host/v1/posts/${trashed.id}`).expect(200);
    const form = await kit
      .knex('posts')
      .insert({
        blog_id: 1,
        type: 'form',
        status: 'publish',
        slug: 'f',
        author_id: 1,
        lang: 'en',
        hash: '',
        search: kit.knex.raw("''::tsvector"),
      })
      .returning('id');
    const unknown = await kit.read(studio, 2_000_000_000).expect(404);
    expect(unknown.body.code).to.equal('studio_sync_post_not_found');
    for (const id of [foreign.id, trashed.id, form[0].id]) {
      expect((await kit.read(studio, id).expect(404)).body).to.deep.equal(unknown.body);
      const write = await kit.write(studio, id, { base_hash: hashes.hello, content: 'x' }).expect(404);
      expect(write.body).to.deep.equal(unknown.body);
      for (const more of ['revisions', 'revisions/1']) {
        const { body } = await kit.lyceum
          .as(studio)
          .get(`${documentOf(id)}/${more}`)
          .expect(404);
        expect(body).to.deep.equal(unknown.body);
      }
    }
    for (const id of ['0', 'abc', '99999999999']) {
      const { body } = await kit.lyceum.as(studio).get(`svc/studio-sync/v1/sync/posts/${id}`).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
    }
  });

  it('of other sites are written through blog_id, by who may there', async () => {
    const site = await kit.lyceum.make.site();
    const ann = await kit.lyceum.make.user({ role: 'editor', site: site.blog_id });
    const theirs = await kit.studio(ann, site);
    const post = await kit.post({}, kit.admin, site);
    const here = `${documentOf(post.id)}?blog_id=${site.blog_id}`;
    const body = { base_hash: hashes.hello, content: 'x' };
    await kit.lyceum.as(studio).patch(here, body).expect(403);
    await kit.lyceum.as(theirs).patch(documentOf(post.id), body).expect(403);
    await kit.lyceum.as(theirs).patch(here, body).expect(200);
    expect((await kit.lyceum.as(theirs).get(here).expect(200)).body.item.content).to.equal('x');
  });
});
