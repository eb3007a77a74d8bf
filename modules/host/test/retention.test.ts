import { randomUUID } from 'node:crypto';
import { Storage } from '@lyceum/core';
import {
  type Client,
  runSchedule,
  samples,
  startTestHost,
  type TestHost,
  type TestUser,
} from '@lyceum/core/testing';
import { expect } from 'chai';
import { mediaRoute, storedKeys } from './media-kit.ts';
import { send, wxr } from './wxr-kit.ts';

const day = 24 * 60 * 60 * 1000;

describe('host: what goes with time', () => {
  let lyceum: TestHost;
  let user: TestUser;
  let admin: Client;
  let now: number;

  beforeEach(async () => {
    now = Date.now();
    lyceum = await startTestHost({ modules: ['lms'], now: () => new Date(now) });
    user = await lyceum.make.admin();
    admin = lyceum.as(user);
  });
  afterEach(() => lyceum.stop());

  const turn = (id: string): Promise<void> => runSchedule(lyceum, `host.${id}`);
  const count = async (table: string): Promise<number> =>
    Number((await lyceum.host.db.knex(table).count({ n: '*' }).first())?.n);

  it('is in the trash for 30 days', async () => {
    const make = async (given: object): Promise<number> =>
      (await admin.post('svc/host/v1/posts', { title: 'Old', ...given }).expect(201)).body.id;
    const page = await make({ type: 'page' });
    const child = await make({ type: 'page', parent_id: page });
    const course = await make({ type: 'course', meta: { page_ids: [page, child] } });
    const kept = await make({});
    const { body: media } = await admin.post(mediaRoute).attach('file', samples.png, 'a.png').expect(201);
    for (const path of [`svc/host/v1/posts/${page}`, `${mediaRoute}/${media.id}`])
      await admin.delete(path).expect(200);
    now += 29 * day;
    await turn('empty-trash');
    await admin.get(`svc/host/v1/posts/${page}`).expect(200);
    now += 2 * day;
    await turn('empty-trash');
    await admin.get(`svc/host/v1/posts/${page}`).expect(404);
    await admin.get(`${mediaRoute}/${media.id}`).expect(404);
    expect(await storedKeys(lyceum)).to.deep.equal([]);
    expect((await admin.get(`svc/host/v1/posts/${child}`).expect(200)).body.parent_id).to.equal(0);
    expect((await admin.get(`svc/host/v1/posts/${course}`).expect(200)).body.meta.page_ids).to.deep.equal([
      child,
    ]);
    await admin.get(`svc/host/v1/posts/${kept}`).expect(200);
    expect(await count('attachments')).to.equal(0);
  });

  it('empties a full trash, batch by batch', async () => {
    await lyceum.host.db.knex.raw(
      `insert into posts (blog_id, type, status, trashed_at, slug, author_id, lang, hash, search)
       select 1, case when n = 7 then 'gone_type' else 'post' end, 'trash', now() - interval '31 days', 'p-' || n,
         1, 'en', '', '' from generate_series(1, 250) n`,
    );
    await turn('empty-trash');
    expect(await count('posts')).to.equal(0);
  });

  it('is an ended job after job_retention_days, by network', async () => {
    const network = await lyceum.make.network();
    const job = async (days: number | null, network_id = 1): Promise<void> => {
      const job_id = randomUUID();
      await lyceum.host.db.knex('jobs').insert({
        ...{
          job_id,
          type: 'host.publish',
          module: 'host',
          lane: 'quick',
          network_id,
          blog_id: 1,
          payload: '{}',
        },
        cancellable: false,
        status: days === null ? 'pending' : 'completed',
        created_at: new Date(now - 100 * day),
        completed_at: days === null ? null : new Date(now - days * day),
      });
      await lyceum.host.db
        .knex('job_events')
        .insert({ job_id, level: 'info', phase: '', message: '', progress: '{}' });
    };
    await Promise.all([
      job(31),
      job(29),
      job(4),
      job(null),
      job(31, network.network_id),
      job(29, network.network_id),
    ]);
    await turn('forget-expired');
    expect(await count('jobs')).to.equal(4);
    expect(await count('job_events')).to.equal(4);
    await lyceum.make.settings('host', { job_retention_days: 5 });
    await turn('forget-expired');
    const left = await lyceum.host.db.knex('jobs').orderBy('completed_at').select('network_id', 'status');
    expect(left).to.have.deep.members([
      { network_id: 1, status: 'completed' },
      { network_id: 1, status: 'pending' },
      { network_id: network.network_id, status: 'completed' },
    ]);
  });

  it('is an audit row after audit_retention_days', async () => {
    await lyceum.host.db.knex('audit_log').delete();
    const row = (days: number, network_id: number | null): Promise<unknown> =>
      lyceum.host.db.knex('audit_log').insert({
        ...{ network_id, module: 'host', action: 'test', subject: 'x:1' },
        at: new Date(now - days * day),
      });
    await Promise.all([row(366, 1), row(364, 1), row(20, 1), row(400, null), row(300, null), row(400, 77)]);
    await turn('forget-expired');
    expect(await count('audit_log')).to.equal(3);
    await lyceum.make.settings('host', { audit_retention_days: 30 });
    await lyceum.host.db.knex('audit_log').where('action', 'host.settings').delete();
    await turn('forget-expired');
    expect(await lyceum.host.db.knex('audit_log').pluck('network_id')).to.deep.equal([1]);
  });

  it('is a session, a stored answer and a counter whose time is over', async () => {
    const { knex } = lyceum.host.db;
    await lyceum.make.session(user.id);
    await lyceum.make.session(user.id);
    await knex('sessions').limit(1);
    const [first] = await knex('sessions').select('token_hash');
    await knex('sessions')
      .where('token_hash', first.token_hash)
      .update({ expires_at: new Date(now - 1_000) });
    const answer = (key: string, ms: number) => ({
      ...{ user_id: user.id, method: 'POST', path: '/', key, body_hash: Buffer.from('x') },
      expires_at: new Date(now + ms),
    });
    await knex('idempotency_keys').insert([answer('old', -1_000), answer('new', 60_000)]);
    await knex('rate_limits').insert([
      { key: 'old', points: 1, expire: now - 1_000 },
      { key: 'new', points: 1, expire: now + 60_000 },
      { key: 'always', points: 1, expire: null },
    ]);
    await turn('forget-expired');
    expect(await count('sessions')).to.equal(1);
    expect(await knex('idempotency_keys').pluck('key')).to.deep.equal(['new']);
    expect((await knex('rate_limits').pluck('key')).sort()).to.deep.equal(['always', 'new']);
  });

  it('goes in batches, however much there is', async () => {
    await lyceum.host.db.knex.raw(
      `insert into rate_limits (key, points, expire) select 'k' || n, 1, 1 from generate_series(1, 2500) n`,
    );
    await turn('forget-expired');
    expect(await count('rate_limits')).to.equal(0);
  });

  it('is the file of an import that nobody began', async () => {
    const { body } = await send(admin, wxr({ items: [] })).expect(202);
    expect(await storedKeys(lyceum)).to.have.length(1);
    await turn('sweep-imports');
    expect(await storedKeys(lyceum)).to.have.length(1);
    await admin.post(`svc/host/v1/jobs/${body.job_id}/cancel`).expect(200);
    await turn('sweep-imports');
    expect(await storedKeys(lyceum)).to.deep.equal([]);
    await lyceum.host.services.host(Storage).check();
  });
});
