import { availableParallelism, loadavg } from 'node:os';
import { startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { PostKit } from './post-kit.ts';

describe('post_duplicator: many copies', () => {
  let lyceum: TestHost;
  let kit: PostKit;

  before(async () => {
    lyceum = await startTestHost({ modules: ['post_duplicator', 'lms'] });
    kit = new PostKit(lyceum, await lyceum.make.admin());
  });
  after(() => lyceum.stop());

  it('makes twenty different copies for twenty at once, and one for one Idempotency-Key', async () => {
    const page = await kit.create({ type: 'page', title: 'Many' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => kit.duplicate(page.id)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(20).fill(201));
    const of = (field: string) => new Set(answers.map(({ body }) => body[field]));
    expect([of('slug').size, of('title').size]).to.deep.equal([20, 20]);
    const keyed = await Promise.all(
      [1, 2].map(() => kit.duplicate(page.id, { title: 'Keyed' }).set('Idempotency-Key', 'k')),
    );
    const made = keyed.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.post_id)).size).to.equal(1);
    const again = await kit.duplicate(page.id, { title: 'Keyed' }).set('Idempotency-Key', 'k').expect(201);
    expect(again.body.post_id).to.equal(made[0]?.body.post_id);
  });

  it('come to be beside each other and beside new pages, whatever slugs they share', async () => {
    const there = await lyceum.make.site();
    const trees: (readonly [number, TestSite])[] = [];
    for (const order of ['asc', 'desc']) {
      const source = await lyceum.make.site();
      const root = await kit.create({ type: 'page', title: 'Root', slug: `root-${order}` }, source);
      for (let n = 0; n < 10; n += 1) {
        const slug = `row-${order === 'asc' ? n : 9 - n}`;
        await kit.create({ type: 'page', title: 'Row', slug, parent_id: root.id }, source);
      }
      trees.push([root.id, source]);
    }
    const wish = { target_blog_id: there.blog_id, copy_children: true, status: 'publish' };
    const page = { type: 'page', title: 'Row', slug: 'row-3', status: 'publish' };
    const answers = await Promise.all(
      [0, 1, 2, 3, 4]
        .flatMap(() => trees)
        .flatMap(([id, source]) => [
          kit.duplicate(id, wish, source),
          kit.on(there).post('svc/host/v1/posts', page),
        ]),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201]));
    expect(await kit.count(there.blog_id, 'page')).to.equal(120);
  });

  it('of two processes have titles and slugs of their own, and share the terms that they make', async () => {
    const beside = await startTestHost({ modules: ['post_duplicator', 'lms'], beside: lyceum });
    try {
      const there = await lyceum.make.site();
      const names = ['North', 'East', 'South', 'West'];
      const terms: number[] = [];
      for (const name of names) terms.push((await kit.term({ taxonomy: 'tag', name })).id);
      const page = await kit.create({ type: 'page', title: 'Both', terms: { tag: terms } });
      const kits = [kit, new PostKit(beside, kit.identity)];
      const wish = { target_blog_id: there.blog_id };
      const copies = await Promise.all(
        [1, 2, 3, 4, 5].flatMap(() => kits.map((each) => each.copy(page.id, wish))),
      );
      for (const field of ['title', 'slug']) {
        expect(new Set(copies.map((copy) => copy[field])).size, field).to.equal(10);
      }
      const { body: made } = await kit.on(there).get('svc/host/v1/terms?taxonomy=tag').expect(200);
      expect(made.map(({ name }: { name: string }) => name).sort()).to.deep.equal([...names].sort());
      expect(copies.map((copy) => Number(copy.terms))).to.deep.equal(Array(10).fill(4));
    } finally {
      await beside.stop();
    }
  });

  it('looks for titles, slugs, children and attachments by indexes', async () => {
    const { knex } = lyceum.host.db;
    const page = await kit.create({ type: 'page', title: 'Seeker' });
    await knex.raw(
      `insert into posts (blog_id, type, status, title, slug, author_id, parent_id, lang, hash, search)
       select 1, case when n % 2 = 0 then 'page' else 'attachment' end, 'draft', 'Row ' || n, 'row-' || n, 1,
         case when n % 3 = 0 then ?::int else 0 end, 'en', '', '' from generate_series(1, 20000) n`,
      [(await kit.create({ type: 'page', title: 'Of many' })).id],
    );
    await knex.raw('analyze posts');
    await kit.batch(page.id, { count: 50 }).expect(200);
    const asked = new Map<string, Knex.RawBinding[]>();
    const note = ({ sql, bindings }: { sql: string; bindings: Knex.RawBinding[] }): void => {
      if (/\bposts\b/.test(sql) && !/^insert/.test(sql)) asked.set(sql.replaceAll(/\$\d+/g, '?'), bindings);
    };
    knex.on('query', note);
    await kit.copy(page.id, { copy_children: true, copy_attachments: true });
    knex.removeListener('query', note);
    expect(asked.size).to.be.above(4);
    for (const [sql, bindings] of asked) {
      const { rows } = await knex.raw(`explain ${sql}`, bindings);
      expect(JSON.stringify(rows), sql).to.not.match(/Seq Scan on posts|Hash Join/);
    }
    await knex('posts').where('slug', 'like', 'row-%').delete();
  });

  it('makes a hundred copies of a page of 100 kB in under 5 s', async () => {
    const content = `<p>${'some words of a page '.repeat(5_000)}</p>`.slice(0, 102_400);
    const page = await kit.create({ type: 'page', title: 'Long', content });
    const hundred = async (): Promise<number> => {
      const started = performance.now();
      for (const body of [await kit.batch(page.id, { count: 50 }), await kit.batch(page.id, { count: 50 })]) {
        expect(body.body.succeeded).to.have.length(50);
      }
      return performance.now() - started;
    };
    // A machine that is at work on other things gives this its share, and not always the same one.
    const limit = 5_000 * Math.max(1, (loadavg()[0] as number) / availableParallelism());
    let best = await hundred();
    for (let again = 0; again < 2 && best >= limit; again += 1) best = Math.min(best, await hundred());
    expect(best).to.be.below(limit);
  }).timeout(60_000);
});
