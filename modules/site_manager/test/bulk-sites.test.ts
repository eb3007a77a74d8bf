import path from 'node:path';
import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { endOfJob } from './end-of-job.ts';

const sites = 'svc/site-manager/v1/sites';
const jobs = 'svc/site-manager/v1/jobs';

describe('site_manager: many sites at once', () => {
  let lyceum: TestHost;
  let admin: Client;
  before(async () => {
    lyceum = await startTestHost({
      modules: ['site_manager', 'test_site_data'],
      folders: [path.join(import.meta.dirname, 'packages')],
      config: { workers: 'inline' },
    });
    admin = lyceum.as(await lyceum.make.admin());
  });
  after(() => lyceum.stop());

  const make = async (count: number): Promise<number[]> =>
    (await Promise.all(Array.from({ length: count }, () => lyceum.make.site()))).map(
      ({ blog_id }) => blog_id,
    );
  const bulk = async (body: object, client = admin) => {
    const started = await client.post(`${sites}/bulk`, body).expect(202);
    return endOfJob(client, started.body.job_id);
  };
  const audited = async (action: string, blogIds: readonly number[]): Promise<number[]> =>
    (await lyceum.host.db
      .knex('audit_log')
      .where({ action })
      .whereIn('blog_id', [...blogIds])
      .orderBy('id')
      .pluck('blog_id')) as number[];

  it('archives what it may and tells why not the rest', async () => {
    const [first] = await make(1);
    const body = { blog_ids: [first, 1, 999], action: 'archive' };
    const started = await admin.post(`${sites}/bulk`, body).expect(202);
    expect(started.body).to.deep.include({ type: 'site_manager.bulk', payload: body, user_id: 1 });
    const location = new URL(started.headers.location as string);
    expect(location.pathname).to.equal(`/api/${jobs}/${started.body.job_id}`);
    const job = await endOfJob(admin, started.body.job_id);
    expect(job).to.deep.include({ status: 'completed', phase: 'bulk', error: null });
    expect(job.progress).to.deep.equal({ percent: 100, current: 3, total: 3 });
    expect(job.result).to.deep.equal({
      succeeded: [first],
      failed: [
        {
          blog_id: 1,
          code: 'main_site_forbidden',
          message: 'The main site cannot be hidden, archived or removed.',
        },
        { blog_id: 999, code: 'site_not_found', message: 'Site not found.' },
      ],
      total: 3,
      processed: 3,
    });
    expect((await admin.get(`${sites}/${first}`).expect(200)).body.archived).to.equal(1);
    expect(await audited('site.archive', [first as number, 1])).to.deep.equal([first]);
  });

  it('does each action as its single route does', async () => {
    const ids = await make(3);
    const flagsOf = async () =>
      Promise.all(
        ids.map(async (id) => {
          const { body } = await admin.get(`${sites}/${id}`).expect(200);
          return [body.public, body.archived, body.mature];
        }),
      );
    const all = (flags: readonly number[]) => ids.map(() => flags);
    const patch = { mature: 1, public: 0 };
    for (const [body, flags] of [
      [{ action: 'deactivate' }, [0, 0, 0]],
      [{ action: 'archive' }, [0, 1, 0]],
      [{ action: 'activate' }, [1, 1, 0]],
      [{ action: 'unarchive', patch: { title: 'x' } }, null],
      [{ action: 'unarchive' }, [1, 0, 0]],
      [{ action: 'update', patch }, [0, 0, 1]],
    ] as const) {
      if (flags === null) {
        await admin.post(`${sites}/bulk`, { blog_ids: ids, ...body }).expect(400);
        continue;
      }
      const job = await bulk({ blog_ids: ids, ...body });
      expect(job.result).to.deep.equal({ succeeded: ids, failed: [], total: 3, processed: 3 });
      expect(await flagsOf()).to.deep.equal(all(flags));
    }
    expect(await audited('site.update', ids)).to.deep.equal(ids);
    const kept = await bulk({ blog_ids: ids.slice(0, 1), action: 'delete', drop_tables: false });
    expect(kept.payload).to.deep.equal({ blog_ids: ids.slice(0, 1), action: 'delete', drop_tables: false });
    await admin.post(`${sites}/${ids[0]}/restore`).expect(200);
    const job = await bulk({ blog_ids: ids, action: 'delete' });
    expect(job.result?.succeeded).to.deep.equal(ids);
    for (const id of ids) await admin.get(`${sites}/${id}`).expect(404);
    const purges = await admin.get(`${jobs}?type=site_manager.purge`).expect(200);
    expect(purges.body).to.have.length(3);
    for (const purge of purges.body) {
      expect((await endOfJob(admin, purge.job_id)).status).to.equal('completed');
    }
  });

  it('takes back what a failing site wrote, and goes on', async () => {
    const [first, last] = await make(2);
    const { body: precious } = await admin.post(sites, { title: 'Precious', slug: 'precious' }).expect(201);
    const ids = [first, precious.blog_id, last];
    const job = await bulk({ blog_ids: ids, action: 'delete', drop_tables: false });
    expect(job.result).to.deep.include({ succeeded: [first, last], processed: 3 });
    const message = 'This site is precious.';
    expect(job.result?.failed).to.deep.equal([{ blog_id: precious.blog_id, code: 'test_precious', message }]);
    await admin.get(`${sites}/${precious.blog_id}`).expect(200);
    const { knex } = lyceum.host.db;
    expect(await knex('test_e_told').where({ site: precious.blog_id }).first()).to.equal(undefined);
    const [known] = await make(1);
    const terms = await bulk({ blog_ids: [known], action: 'update', patch: { status_id: 4711, mature: 1 } });
    expect(terms.result?.failed).to.deep.equal([
      { blog_id: known, code: 'term_not_found', message: 'Term not found.' },
    ]);
    expect((await admin.get(`${sites}/${known}`).expect(200)).body.mature).to.equal(0);
  });

  it('keeps to its network, and asks for rights again when it runs', async () => {
    const network = await lyceum.make.network();
    const [mine, other] = await make(2);
    const foreign = await bulk({ blog_ids: [network.blog_id], action: 'archive' });
    expect(foreign.result?.failed).to.deep.equal([
      { blog_id: network.blog_id, code: 'site_not_in_network', message: 'Site not found.' },
    ]);
    const deputy = await lyceum.make.user({ superAdminOf: 1 });
    const { knex } = lyceum.host.db;
    await knex('memberships').insert({ blog_id: mine, user_id: deputy.id, role: 'administrator' });
    // Held back by a lock on the first site until the rights are gone.
    const lock = await knex.transaction();
    await lock('sites').where({ blog_id: mine }).forUpdate();
    const ids = [mine, other];
    const started = await lyceum
      .as(deputy)
      .post(`${sites}/bulk`, { blog_ids: [mine], action: 'archive' })
      .expect(202);
    const second = await lyceum
      .as(deputy)
      .post(`${sites}/bulk`, { blog_ids: ids, action: 'deactivate' })
      .expect(202);
    await lock('super_admins').where({ user_id: deputy.id }).delete();
    await lock.commit();
    await endOfJob(admin, started.body.job_id);
    const job = await endOfJob(admin, second.body.job_id);
    expect(job.status).to.equal('completed');
    const message = 'You are not allowed to do that.';
    expect(job.result).to.deep.include({
      succeeded: [mine],
      failed: [{ blog_id: other, code: 'rest_forbidden', message }],
    });
  });

  it('keeps what is done when it is cancelled, and says how much that is', async () => {
    const ids = await make(30);
    const { knex } = lyceum.host.db;
    const lock = await knex.transaction();
    await lock('sites').where({ blog_id: ids[10] }).forUpdate();
    const body = { blog_ids: ids, action: 'archive' };
    const { body: started } = await admin.post(`${sites}/bulk`, body).expect(202);
    const done = async () => (await audited('site.archive', ids)).length;
    while ((await done()) < 10) await admin.get(`${jobs}/${started.job_id}?wait=1`).expect(200);
    const cancelled = admin.post(`${jobs}/${started.job_id}/cancel`);
    const asked = cancelled.then((answer) => answer);
    await lock.commit();
    expect((await asked).status).to.equal(200);
    const job = await endOfJob(admin, started.job_id);
    expect(job).to.deep.include({ status: 'cancelled', result: null });
    const archived = await audited('site.archive', ids);
    expect(archived).to.deep.equal(ids.slice(0, archived.length));
    expect(archived.length).to.be.within(10, 29);
    const events = await admin.get(`${jobs}/${started.job_id}/events?per_page=500`).expect(200);
    expect(events.body.at(-1).data).to.deep.equal({
      succeeded: archived,
      failed: [],
      total: 30,
      processed: archived.length,
    });
  });

  it('refuses bad input, and who may not', async () => {
    const [id] = await make(1);
    const wrong: readonly (readonly [object, string, string])[] = [
      [{ action: 'archive' }, 'rest_missing_callback_param', 'blog_ids'],
      [{ blog_ids: [id] }, 'rest_missing_callback_param', 'action'],
      [{ blog_ids: [id], action: 'update' }, 'rest_missing_callback_param', 'patch'],
      [{ blog_ids: [], action: 'archive' }, 'rest_invalid_param', 'blog_ids'],
      [{ blog_ids: [id, id], action: 'archive' }, 'rest_invalid_param', 'blog_ids'],
      [{ blog_ids: [String(id)], action: 'archive' }, 'rest_invalid_param', 'blog_ids[0]'],
      [{ blog_ids: [0], action: 'archive' }, 'rest_invalid_param', 'blog_ids[0]'],
      [{ blog_ids: [1.5], action: 'archive' }, 'rest_invalid_param', 'blog_ids[0]'],
      [{ blog_ids: id, action: 'archive' }, 'rest_invalid_param', 'blog_ids'],
      [
        { blog_ids: Array.from({ length: 501 }, (_none, n) => n + 1), action: 'archive' },
        'rest_invalid_param',
        'blog_ids',
      ],
      [{ blog_ids: [id], action: 'destroy' }, 'rest_invalid_param', 'action'],
      [{ blog_ids: [id], action: 'update', patch: {} }, 'rest_invalid_param', 'patch'],
      [{ blog_ids: [id], action: 'update', patch: { unknown: 1 } }, 'rest_invalid_param', 'patch'],
      [{ blog_ids: [id], action: 'update', patch: null }, 'rest_invalid_param', 'patch'],
      [{ blog_ids: [id], action: 'update', patch: [] }, 'rest_invalid_param', 'patch'],
      [{ blog_ids: [id], action: 'update', patch: { mature: true } }, 'rest_invalid_param', 'patch.mature'],
      [{ blog_ids: [id], action: 'delete', drop_tables: 'false' }, 'rest_invalid_param', 'drop_tables'],
      ...['title', 'slug', 'description'].flatMap((name) =>
        ['x', null, 5].map(
          (value) =>
            [
              { blog_ids: [id], action: 'update', patch: { mature: 1, [name]: value } },
              'rest_invalid_param',
              `patch.${name}`,
            ] as const,
        ),
      ),
    ];
    for (const [body, code, name] of wrong) {
      const answer = await admin.post(`${sites}/bulk`, body).expect(400);
      expect(answer.body.code, JSON.stringify(body)).to.equal(code);
      const { params } = answer.body.data;
      expect(Array.isArray(params) ? params : Object.keys(params), JSON.stringify(body)).to.deep.equal([
        name,
      ]);
    }
    const good = { blog_ids: [id], action: 'archive' };
    await lyceum.anonymous.post(`${sites}/bulk`, good).expect(401);
    const own = await lyceum.make.user({ role: 'administrator', site: id as number });
    await lyceum.as(own).post(`${sites}/bulk`, good).expect(403);
    expect((await admin.get(`${sites}/${id}`).expect(200)).body.archived).to.equal(0);
  });
});
