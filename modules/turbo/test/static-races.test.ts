import { fileURLToPath } from 'node:url';
import { startTestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { posts, route, TurboKit } from './turbo-kit.ts';

/** Processes of one installation have one address. */
const config = { baseUrl: new URL('http://localhost') };

describe('turbo: a static page that lacks a piece', () => {
  it('is made anew after a minute', async () => {
    let passed = 0;
    const kit = await TurboKit.start({
      modules: ['turbo', 'svctutor_form', 'test_mending'],
      folders: [fileURLToPath(new URL('packages', import.meta.url))],
      now: () => new Date(Date.now() + passed),
    });
    try {
      const id = await kit.page('Is it? [mending]');
      const text = async () => (await kit.fetch((await kit.static(id)).url)).text;
      const first = await kit.static(id);
      expect(await text()).to.include('Is it? \n');
      expect(await kit.static(id)).to.deep.equal(first);
      passed = 61_000;
      expect(await text()).to.include('Is it? <b>Mended</b>');
      const whole = await kit.static(id);
      passed *= 2;
      expect(await kit.static(id)).to.deep.equal(whole);
    } finally {
      await kit.lyceum.stop();
    }
  });
});

describe('turbo: static pages that many ask for at once', () => {
  let kit: TurboKit;
  before(async () => {
    kit = await TurboKit.start({ config });
  });
  after(() => kit.lyceum.stop());

  it('are rendered once, in whatever process', async () => {
    const { lyceum } = kit;
    const user = await lyceum.make.user({ role: 'editor' });
    const beside = await startTestHost({ modules: ['turbo', 'svctutor_form'], beside: lyceum, config });
    const clients = [lyceum.as(user), beside.as(user)];
    for (let round = 0; round < 3; round += 1) {
      const id = await kit.page(`round ${round}`);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_none, at) => clients[at % 2]?.get(route(`static/${id}`)).expect(200)),
      );
      expect(new Set(answers.map((answer) => answer?.body.url)).size).to.equal(1);
      expect(await lyceum.host.db.knex('turbo_static').where('page_id', id)).to.have.length(1);
    }
    await beside.stop();
  });

  it('many pages at once leave connections to others', async () => {
    const ids = await Promise.all(Array.from({ length: 24 }, (_none, at) => kit.page(`page ${at}`)));
    const answers = await Promise.all(ids.map((id) => kit.editor.get(route(`static/${id}`)).expect(200)));
    expect(new Set(answers.map((answer) => answer.body.url)).size).to.equal(24);
  });

  it('leave with their page, at whatever moment that is taken back', async () => {
    const { knex } = kit.lyceum.host.db;
    for (const back of ['draft', 'private'] as const) {
      const id = await kit.page('a');
      const { url } = await kit.static(id);
      await kit.editor.patch(`${posts}/${id}`, { status: back }).expect(200);
      expect((await kit.fetch(url)).status, back).to.equal(404);
      // Whoever may edit it still sees it, under an address that readers never had.
      const own = await kit.static(id);
      expect(own.url).to.not.equal(url);
      await kit.editor.patch(`${posts}/${id}`, { status: 'publish' }).expect(200);
      await kit.editor.delete(`${posts}/${id}?force=true`).expect(200);
      expect((await kit.fetch(own.url)).status).to.equal(404);
      expect(await knex('turbo_static').where('page_id', id).whereNull('remove_after')).to.deep.equal([]);
    }
    for (let round = 0; round < 5; round += 1) {
      const id = await kit.page('a');
      const [answer] = await Promise.all([
        kit.editor.get(route(`static/${id}`)),
        kit.editor.patch(`${posts}/${id}`, { status: 'draft' }).expect(200),
      ]);
      expect(answer.status).to.equal(200);
      const [row] = await knex('turbo_static').where('page_id', id).whereNull('remove_after');
      // What is left is what was made of the draft, or nothing.
      const isServed = (await kit.fetch(answer.body.url)).status === 200;
      expect([isServed, answer.body.status, row !== undefined]).to.be.deep.oneOf([
        [false, 'publish', false],
        [true, 'draft', true],
      ]);
    }
  });

  it('a folder that a killed process left is swept a day later', async () => {
    const id = await kit.page('a');
    const { knex } = kit.lyceum.host.db;
    const folder = 'f'.repeat(32);
    const left = { blog_id: 1, page_id: id, folder };
    await knex('turbo_static').insert({ ...left, remove_after: knex.raw(`now() + interval '1 day'`) });
    await kit.static(id);
    expect(await knex('turbo_static').where({ folder })).to.have.length(1);
    const url = (await kit.static(id)).url.replace(/[0-9a-f]{32}/, folder);
    expect((await kit.fetch(url)).status).to.equal(404);
    await knex('turbo_static').where({ folder }).update({ remove_after: knex.fn.now() });
    await kit.sweep();
    expect(await knex('turbo_static').where({ folder })).to.deep.equal([]);
  });
});
