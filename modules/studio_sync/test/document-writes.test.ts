import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { hashes, type Studio, StudioKit } from './studio-kit.ts';

const hashOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

describe('studio_sync: writing documents', () => {
  let kit: StudioKit;
  let studio: Studio;
  before(async () => {
    kit = await StudioKit.start();
    studio = await kit.studio(await kit.lyceum.make.user({ role: 'editor' }));
  });
  after(() => kit.lyceum.stop());

  it('are written by who knows what he writes over', async () => {
    const post = await kit.post();
    const base_hash = hashes.hello;
    const first = await kit.write(studio, post.id, { base_hash, content: '<p>Привет</p>' }).expect(200);
    expect(first.body).to.deep.include({ success: true, changed: true });
    expect(first.body.item).to.deep.include({ hash: hashes.privet, revision_id: first.body.revision_id });
    expect(first.body.item).not.to.have.property('content');
    const count = (await kit.revisions(post.id)).length;
    const again = await kit.write(studio, post.id, { base_hash, content: '<p>Привет</p>' }).expect(200);
    expect(again.body).to.deep.include({ changed: false, revision_id: first.body.revision_id });
    expect(again.body.item.modified_at).to.equal(first.body.item.modified_at);
    expect(await kit.revisions(post.id)).to.have.length(count);
    const late = await kit.write(studio, post.id, { base_hash, content: 'x' }).expect(409);
    expect(late.body.code).to.equal('studio_sync_conflict');
    expect(late.body.data).to.deep.equal({
      status: 409,
      base_hash,
      hash: hashes.privet,
      modified_at: first.body.item.modified_at,
      revision_id: first.body.revision_id,
    });
    expect((await kit.read(studio, post.id)).body.item.content).to.equal('<p>Привет</p>');
  });

  it('take a title along, also where the text stays', async () => {
    const post = await kit.post();
    const base_hash = hashes.privet;
    const same = { base_hash, content: '<p>Hello</p>', title: 'Another' };
    const { body } = await kit.write(studio, post.id, same).expect(200);
    expect(body).to.deep.include({ changed: false });
    expect(body.item).to.deep.include({ title: 'Another', slug: post.slug, status: 'publish' });
    const kept = await kit.revisions(post.id);
    expect(kept.map(({ title }) => title)).to.deep.equal(['Another', 'A page']);
    await kit.write(studio, post.id, same).expect(200);
    expect(await kit.revisions(post.id)).to.have.length(2);
    for (const title of ['', 'x'.repeat(201), 5, null, 'a\0']) {
      await kit.write(studio, post.id, { ...same, title }).expect(400);
    }
  });

  it('come back byte for byte', async () => {
    const texts = [
      'one\r\ntwo \t \n\n',
      '\uFEFFbom',
      'e\u0301 is not \u00e9',
      '👩‍🏫 \u2028 \u2029',
      '<script>alert(1)</script><!-- wp:x {"a":1} -->',
      '',
      "'; drop table posts; --",
    ];
    const post = await kit.post();
    let base_hash = post.hash;
    for (const content of texts) {
      const { body } = await kit.write(studio, post.id, { base_hash, content }).expect(200);
      expect(body.item.hash).to.equal(hashOf(content));
      expect((await kit.read(studio, post.id)).body.item.content).to.equal(content);
      base_hash = body.item.hash;
    }
  });

  it('of a page builder are JSON text, kept as it was sent, with its readable HTML beside', async () => {
    const post = await kit.post({ meta: { editor: 'pagebuilder' } });
    const widget = {
      id: 'abc1234',
      elType: 'widget',
      widgetType: 'heading',
      settings: { title: 'Hi' },
      elements: [],
    };
    const top = [{ id: 'abc1230', elType: 'container', settings: [], elements: [widget] }];
    const content = ` ${JSON.stringify(top, null, 3)}\n`;
    const base_hash = hashes.emptyPage;
    const { body } = await kit
      .write(studio, post.id, { base_hash, content, editor: 'pagebuilder' })
      .expect(200);
    expect(body.item.hash).to.equal(hashOf(content));
    expect((await kit.read(studio, post.id)).body.item.content).to.equal(content);
    const shown = await kit.lyceum.as(kit.admin).get(`svc/host/v1/posts/${post.id}`).expect(200);
    expect(shown.body.content).to.equal('<h2>Hi</h2>');
  });

  it('of a page builder that break its rules are refused with every problem and its place', async () => {
    const post = await kit.post({ meta: { editor: 'pagebuilder' } });
    const base_hash = hashes.emptyPage;
    const write = (content: string) => kit.write(studio, post.id, { base_hash, content });
    const { body } = await write('{"a":1}').expect(400);
    expect(body.code).to.equal('studio_sync_invalid_content');
    expect(body.data.problems).to.deep.equal([
      { code: 'pb_root', severity: 'error', pointer: '', message: body.data.problems[0].message },
    ]);
    const column = { id: 'abc1234', elType: 'column', settings: [], elements: [{ id: 'abc1234' }] };
    const broken = await write(JSON.stringify([column])).expect(400);
    expect(
      broken.body.data.problems.map((problem: { code: string; pointer: string }) => [
        problem.code,
        problem.pointer,
      ]),
    ).to.deep.equal([
      ['pb_nesting', '/0'],
      ['pb_element', '/0/elements/0'],
      ['pb_id_duplicate', '/0/elements/0/id'],
    ]);
    const deep = await write(`${'['.repeat(100_000)}${']'.repeat(100_000)}`).expect(400);
    expect(deep.body.data.problems[0].code).to.equal('pb_depth');
    expect(await kit.revisions(post.id)).to.deep.equal([]);
    // Refusals come in their order: the base before the rules.
    const wrong = await kit.write(studio, post.id, { base_hash: hashes.hello, content: '{' }).expect(409);
    expect(wrong.body.code).to.equal('studio_sync_conflict');
  });

  it('are not written when their editor is another one', async () => {
    const post = await kit.post();
    const body = { base_hash: hashes.privet, content: 'x', editor: 'turbo' };
    const answer = await kit.write(studio, post.id, body).expect(409);
    expect(answer.body.code).to.equal('studio_sync_editor_mismatch');
    expect(answer.body.data).to.deep.equal({ status: 409, editor: 'block' });
    const same = { ...body, content: '<p>Hello</p>' };
    expect((await kit.write(studio, post.id, same).expect(200)).body.changed).to.equal(false);
  });

  it('are refused when the request is wrong', async () => {
    const post = await kit.post();
    const good = { base_hash: hashes.hello, content: 'x' };
    const missing = await kit.write(studio, post.id, {}).expect(400);
    expect(missing.body.code).to.equal('rest_missing_callback_param');
    expect(missing.body.data.params).to.deep.equal(['base_hash', 'content']);
    const bad: readonly (readonly [string, object])[] = [
      ['base_hash', { base_hash: 'abc' }],
      ['base_hash', { base_hash: hashes.hello.toUpperCase() }],
      ['base_hash', { base_hash: 5 }],
      ['content', { content: 5 }],
      ['content', { content: null }],
      ['content', { content: 'a\0b' }],
      ['content', { content: '\ud800' }],
      ['title', { title: '\udfff' }],
      ['editor', { editor: 'word' }],
    ];
    for (const [name, change] of bad) {
      const { body } = await kit.write(studio, post.id, { ...good, ...change }).expect(400);
      expect(body.code, JSON.stringify(change)).to.equal('rest_invalid_param');
      expect(body.data.params).to.have.all.keys(name);
    }
    const large = await kit.write(studio, post.id, { ...good, content: 'x'.repeat(5 * 1024 * 1024 + 1) });
    expect([large.status, large.body.code]).to.deep.equal([413, 'rest_body_too_large']);
    const whole = { ...good, content: 'x'.repeat(5 * 1024 * 1024) };
    await kit.write(studio, post.id, whole).expect(200);
  });
});
