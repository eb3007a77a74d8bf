import { createHash } from 'node:crypto';
import { countStatements } from '@lyceum/core/testing';
import { expect } from 'chai';
import { documentOf, hashes, items, type Studio, StudioKit } from './studio-kit.ts';

const hashOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

describe('studio_sync: revisions', () => {
  let kit: StudioKit;
  let studio: Studio;
  let userId: number;
  before(async () => {
    kit = await StudioKit.start();
    const ann = await kit.lyceum.make.user({ role: 'editor' });
    userId = ann.id;
    studio = await kit.studio(ann);
  });
  after(() => kit.lyceum.stop());

  const list = (id: number, query = '') => kit.lyceum.as(studio).get(`${documentOf(id)}/revisions${query}`);
  const write = async (id: number, base_hash: string, content: string): Promise<string> =>
    (await kit.write(studio, id, { base_hash, content }).expect(200)).body.item.hash;

  it('keep the state that is written over and the new one, newest first', async () => {
    const post = await kit.post();
    await write(post.id, hashes.hello, '<p>Привет</p>');
    const { body, headers } = await list(post.id).expect(200);
    expect(headers['x-svc-total']).to.equal('2');
    const [now, before] = body;
    expect(now).to.deep.include({
      hash: hashes.privet,
      title: 'A page',
      editor: 'block',
      source: 'studio',
      user_id: userId,
      connection_id: studio.connection_id,
      bytes: 19,
    });
    expect(now).not.to.have.property('content');
    expect(before).to.deep.include({
      hash: hashes.hello,
      source: 'host',
      user_id: null,
      connection_id: null,
      bytes: 12,
    });
    const whole = await kit.lyceum
      .as(studio)
      .get(`${documentOf(post.id)}/revisions/${before.revision_id}`)
      .expect(200);
    expect(whole.body).to.deep.equal({ ...before, content: '<p>Hello</p>' });
  });

  it('lose nothing that another path wrote in between', async () => {
    const post = await kit.post();
    const first = await write(post.id, hashes.hello, 'one');
    await kit.lyceum.as(kit.admin).patch(`svc/host/v1/posts/${post.id}`, { content: 'by hand' }).expect(200);
    const stale = await kit.write(studio, post.id, { base_hash: first, content: 'two' }).expect(409);
    expect(stale.body.data).to.deep.include({ hash: hashOf('by hand'), revision_id: null });
    await write(post.id, hashOf('by hand'), 'two');
    const kept = await kit.revisions(post.id);
    expect(kept.map(({ source, content }) => [source, content])).to.deep.equal([
      ['studio', 'two'],
      ['host', 'by hand'],
      ['studio', 'one'],
      ['host', '<p>Hello</p>'],
    ]);
    // A title that another path wrote is a state, too.
    await kit.lyceum.as(kit.admin).patch(`svc/host/v1/posts/${post.id}`, { title: 'By hand' }).expect(200);
    await kit.write(studio, post.id, { base_hash: hashOf('two'), content: 'three', title: 'T' }).expect(200);
    expect(
      (await kit.revisions(post.id)).slice(0, 2).map(({ source, title }) => [source, title]),
    ).to.deep.equal([
      ['studio', 'T'],
      ['host', 'By hand'],
    ]);
  });

  it('bring a state back by writing it', async () => {
    const post = await kit.post();
    const hash = await write(post.id, hashes.hello, 'one');
    await write(post.id, hash, '<p>Hello</p>');
    expect((await kit.revisions(post.id)).map(({ content }) => content)).to.deep.equal([
      '<p>Hello</p>',
      'one',
      '<p>Hello</p>',
    ]);
  });

  it('are as many as the site keeps', async () => {
    const post = await kit.post();
    await kit.lyceum.make.settings('studio_sync', { revisions_keep: 3 });
    let hash: string = hashes.hello;
    for (const content of ['1', '2', '3', '4']) hash = await write(post.id, hash, content);
    expect((await kit.revisions(post.id)).map(({ content }) => content)).to.deep.equal(['4', '3', '2']);
    await kit.lyceum.make.settings('studio_sync', { revisions_keep: 1 });
    await write(post.id, hash, '5');
    expect((await kit.revisions(post.id)).map(({ content }) => content)).to.deep.equal(['5']);
    await kit.lyceum.make.settings('studio_sync', { revisions_keep: 20 });
  });

  it('come in pages, and are unknown beyond their document', async () => {
    const [post, other] = [await kit.post(), await kit.post()];
    let hash: string = hashes.hello;
    for (const content of ['1', '2', '3']) hash = await write(post.id, hash, content);
    await write(other.id, hashes.hello, 'other');
    const first = await list(post.id, '?per_page=3').expect(200);
    const second = await list(post.id, '?per_page=3&page=2').expect(200);
    expect(first.body).to.have.length(3);
    expect(second.body).to.have.length(1);
    expect(first.headers.link).to.include('rel="next"');
    await list(post.id, '?per_page=101').expect(400);
    const foreign = (await list(other.id)).body[0].revision_id;
    for (const id of [foreign, 2_000_000_000]) {
      const { body } = await kit.lyceum
        .as(studio)
        .get(`${documentOf(post.id)}/revisions/${id}`)
        .expect(404);
      expect(body.code).to.equal('studio_sync_revision_not_found');
    }
    await kit.lyceum
      .as(studio)
      .get(`${documentOf(post.id)}/revisions/abc`)
      .expect(400);
  });

  it('go with their post', async () => {
    const post = await kit.post();
    await write(post.id, hashes.hello, 'one');
    await kit.lyceum.as(kit.admin).delete(`svc/host/v1/posts/${post.id}?force=true`).expect(200);
    expect(await kit.revisions(post.id)).to.deep.equal([]);
  });

  it('cost the list nothing, however large the documents are', async () => {
    const site = await kit.lyceum.make.site();
    const ann = await kit.studio(await kit.lyceum.make.user({ role: 'editor', site: site.blog_id }), site);
    const big = 'x'.repeat(2_000_000);
    for (let made = 0; made < 5; made += 1) {
      await kit.post({ meta: { editor: 'turbo', turbo_html: `${big}${made}` } }, kit.admin, site);
    }
    const statements = await countStatements(async () => {
      await kit.lyceum.as(ann, site).get(items).expect(200);
    });
    expect(statements).to.be.at.most(5);
    const { rows } = await kit.knex.raw(
      `explain (analyze, buffers, format json)
       select id, type, slug, editor, hash, title, status from posts where blog_id = ?`,
      [site.blog_id],
    );
    const { Plan } = rows[0]['QUERY PLAN'][0];
    // Five texts of 2 MB unpacked would be more than a thousand blocks.
    expect(Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']).to.be.below(50);
  });
});
