import { expect } from 'chai';
import { probe, startTestHost, type TestHost, testModules } from '../kit/index.ts';

const route = 'test/probe/v1/items';
let keys = 0;
const freshKey = (): string => {
  keys += 1;
  return `key ${keys}`;
};

describe('Idempotency-Key', () => {
  let lyceum: TestHost;
  let second: TestHost;
  before(async () => {
    const options = { modules: ['probe'], folders: [testModules] };
    lyceum = await startTestHost(options);
    second = await startTestHost({ ...options, beside: lyceum });
  });
  after(async () => {
    await second.stop();
    await lyceum.stop();
  });

  const author = () => lyceum.make.user({ role: 'author' });

  it('gives the first answer again and does nothing again, in every process', async () => {
    const ann = await author();
    const key = freshKey();
    const first = await lyceum.as(ann).post(route, { text: 'a' }).set('Idempotency-Key', key).expect(201);
    const acted = probe.counts.acted;
    for (const host of [lyceum, second]) {
      const again = await host
        .as(ann)
        .post(`${route}/`, { text: 'a' })
        .set('Idempotency-Key', key)
        .expect(201);
      expect(again.text).to.equal(first.text);
      expect(again.headers.location).to.equal(first.headers.location);
      expect(again.headers['content-type']).to.equal(first.headers['content-type']);
      expect(again.headers['x-request-id']).not.to.equal(first.headers['x-request-id']);
    }
    expect(probe.counts.acted).to.equal(acted);
  });

  it('is one per user, path and site', async () => {
    const [ann, bob] = [await author(), await author()];
    const site = await lyceum.make.site();
    const key = freshKey();
    const before = probe.counts.acted;
    const post = (who: typeof ann, at?: typeof site) =>
      lyceum.as(who, at).post(route, { text: 'a' }).set('Idempotency-Key', key);
    for (const request of [post(ann), post(bob), post(ann, site)]) await request.expect(201);
    expect(probe.counts.acted).to.equal(before + 3);
    await lyceum.as(ann).post(`${route}/5`, { text: 'a' }).set('Idempotency-Key', key).expect(200);
    const boss = await lyceum.make.user({ superAdminOf: 1 });
    const write = (query: string) =>
      lyceum.as(boss).post(`test/probe/v1/write${query}`).set('Idempotency-Key', key);
    expect((await write('').expect(200)).body).to.deep.equal({ blog_id: 1 });
    const there = await write(`?blog_id=${site.blog_id}`).expect(200);
    expect(there.body).to.deep.equal({ blog_id: site.blog_id });
  });

  it('is refused with another body, and without effect', async () => {
    const ann = await author();
    const key = freshKey();
    const post = (body: object) => lyceum.as(ann).post(route, body).set('Idempotency-Key', key);
    await post({ text: 'a' }).expect(201);
    const acted = probe.counts.acted;
    for (const body of [{ text: 'b' }, { text: 'a', unknown: 1 }]) {
      const answer = await post(body).expect(422);
      expect(answer.body.code).to.equal('idempotency_key_reused');
    }
    expect(probe.counts.acted).to.equal(acted);
  });

  it('is answered 409 while the first request runs', async () => {
    const ann = await author();
    const key = freshKey();
    probe.gate.close();
    const post = (host: TestHost, text: string) =>
      host.as(ann).post(route, { text, wait: true }).set('Idempotency-Key', key);
    const first = post(lyceum, 'slow').then((answer) => answer);
    try {
      await probe.gate.reached();
      for (const host of [lyceum, second]) {
        const meanwhile = await post(host, 'slow').expect(409);
        expect(meanwhile.body.code).to.equal('idempotency_in_progress');
        expect(meanwhile.headers['retry-after']).to.equal('1');
      }
      await post(lyceum, 'other').expect(422);
    } finally {
      probe.gate.open();
    }
    expect((await first).status).to.equal(201);
    const again = await post(second, 'slow').expect(201);
    expect(again.text).to.equal((await first).text);
  });

  it('has one effect however many come at once', async () => {
    const ann = await author();
    const key = freshKey();
    const before = probe.counts.acted;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? lyceum : second).as(ann).post(route, { text: 'many' }).set('Idempotency-Key', key),
      ),
    );
    expect(probe.counts.acted).to.equal(before + 1);
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).to.be.greaterThan(0);
    expect(new Set(made.map(({ text }) => text)).size).to.equal(1);
    for (const { status } of answers) expect(status).to.be.oneOf([201, 409]);
  });

  it('keeps refusals and breakdowns as it keeps success', async () => {
    const ann = await author();
    for (const [body, status] of [
      [{ text: 'a', how: 'refuse' }, 409],
      [{ text: 'a', how: 'crash' }, 500],
      [{ text: 5 }, 400],
      [{}, 400],
    ] as const) {
      const key = freshKey();
      const post = () => lyceum.as(ann).post(route, body).set('Idempotency-Key', key);
      const first = await post().expect(status);
      const acted = probe.counts.acted;
      const again = await post().expect(status);
      expect(again.body).to.deep.equal(first.body);
      expect(probe.counts.acted).to.equal(acted);
    }
  });

  it('keeps no answer that says to come later', async () => {
    const ann = await author();
    const key = freshKey();
    const before = probe.counts.acted;
    for (const _ of [1, 2]) {
      const answer = await lyceum
        .as(ann)
        .post(route, { text: 'a', how: 'later' })
        .set('Idempotency-Key', key)
        .expect(429);
      expect(answer.headers['retry-after']).to.equal('7');
    }
    expect(probe.counts.acted).to.equal(before + 2);
  });

  it('keeps cookies, but no stream', async () => {
    const ann = await author();
    const post = (how: string, key: string) =>
      lyceum.as(ann).post(route, { text: 'a', how }).set('Idempotency-Key', key);
    const key = freshKey();
    const first = await post('cookie', key).expect(201);
    expect((await post('cookie', key)).headers['set-cookie']).to.deep.equal(first.headers['set-cookie']);
    const streamed = freshKey();
    const one = await post('stream', streamed).expect(200);
    const two = await post('stream', streamed).expect(200);
    expect(two.body.number).to.equal(one.body.number + 1);
  });

  it('counts for signed-in callers and POST alone, and has 1 to 255 printable characters', async () => {
    const ann = await author();
    const key = freshKey();
    const client = lyceum.as(ann);
    await client.patch(`${route}/1`, { text: 'a' }).set('Idempotency-Key', key).expect(200);
    await client.patch(`${route}/1`, { text: 'b' }).set('Idempotency-Key', key).expect(200);
    for (const text of ['a', 'b']) {
      const open = await lyceum.anonymous
        .post('test/probe/v1/echo', { text })
        .set('Idempotency-Key', key)
        .expect(200);
      expect(open.body.text).to.equal(text);
    }
    await client.post(route, { text: 'a' }).set('Idempotency-Key', 'k'.repeat(255)).expect(201);
    for (const wrong of ['k'.repeat(256), 'kéy']) {
      const answer = await client.post(route, { text: 'a' }).set('Idempotency-Key', wrong).expect(400);
      expect(answer.body.data.params).to.have.all.keys(['Idempotency-Key']);
    }
  });

  it('is forgotten after a day, and taken over from a process that died', async () => {
    const ann = await author();
    const { knex } = lyceum.host.db;
    const key = freshKey();
    const post = () => lyceum.as(ann).post(route, { text: 'a' }).set('Idempotency-Key', key);
    const first = await post().expect(201);
    await knex('idempotency_keys')
      .where({ key })
      .update({ expires_at: new Date(Date.now() - 1) });
    const second_ = await post().expect(201);
    expect(second_.body.number).to.equal(first.body.number + 1);
    await knex('idempotency_keys').where({ key }).update({ answer: null });
    await post().expect(409);
    await knex('idempotency_keys')
      .where({ key })
      .update({ started_at: new Date(Date.now() - 331_000) });
    await post().expect(201);
    // Expired keys of the same user go when he uses another.
    await knex('idempotency_keys')
      .where({ key })
      .update({ expires_at: new Date(Date.now() - 1) });
    await lyceum.as(ann).post(route, { text: 'a' }).set('Idempotency-Key', freshKey()).expect(201);
    expect(await knex('idempotency_keys').where({ key })).to.deep.equal([]);
  });

  it('stores neither passwords nor secrets that are shown once', async () => {
    const ann = await author();
    const key = freshKey();
    const post = () =>
      lyceum
        .as(ann)
        .post('svc/host/v1/application-passwords', { name: 'replayed' })
        .set('Idempotency-Key', key);
    const first = await post().expect(201);
    expect((await post().expect(201)).body).to.deep.equal(first.body);
    const [row] = await lyceum.host.db.knex('idempotency_keys').where({ key });
    expect(JSON.stringify(row)).not.to.include(first.body.password).and.not.to.include('replayed');
  });
});
