import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { Crashes } from '../../core/isolation/crashes.ts';
import { type Client, RawRequest, startTestHost, type TestHost, testModules } from '../kit/index.ts';
import { clients } from './packages/breaker/state.ts';

const packages = new URL('./packages', import.meta.url).pathname;
const modules = 'svc/modules/v1/modules';
const probePing = 'test/probe/v1/open';
const crash = 'test/probe/v1/wrong/null';
const ping = 'test/breaker/v1/ping';

const boot = (options: Parameters<typeof startTestHost>[0] = {}): Promise<TestHost> =>
  startTestHost({ modules: ['probe', 'test_breaker'], folders: [testModules, packages], ...options });

describe('modules that crash', () => {
  let lyceum: TestHost;
  let admin: Client;
  beforeEach(async () => {
    lyceum = await boot();
    admin = lyceum.as(await lyceum.make.admin());
  });
  afterEach(() => lyceum.stop());

  const crashes = async (module: string): Promise<number> =>
    (await lyceum.host.db.knex('module_crashes').where({ module })).length;
  const record = async (id: string) => (await admin.get(`${modules}/${id}`).expect(200)).body;
  const enable = (id: string, body: object = {}) => admin.put(`${modules}/${id}`, { enabled: true, ...body });
  const audit = async (action: string) =>
    (await admin.get(`svc/modules/v1/audit?action=${action}`).expect(200)).body;
  const crashOften = async (): Promise<void> => {
    for (let time = 0; time < 3; time += 1) await lyceum.anonymous.get(crash).expect(500);
  };

  it('are off after the third time in any process, and say so', async () => {
    const second = await boot({ beside: lyceum });
    try {
      await lyceum.anonymous.get(crash).expect(500);
      await second.anonymous.get('test/probe/v1/wrong/unfit').expect(500);
      expect(await record('probe')).to.deep.include({ enabled: true, reason: null, error: null });
      await lyceum.anonymous.get('test/probe/v1/wrong/cyclic').expect(500);
      for (const { anonymous } of [lyceum, second]) {
        expect((await anonymous.get(probePing).expect(404)).body.code).to.equal('rest_no_route');
        await anonymous.get(ping).expect(200);
      }
      const off = await record('probe');
      expect(off).to.deep.include({ enabled: false, reason: 'error', states: { network: true, site: null } });
      expect(off.error.code).to.equal('crashed');
      expect(off.error.message).to.equal(
        'Crashed 3 times within 60 minutes: probe.wrong-null, probe.wrong-unfit, probe.wrong-cyclic.',
      );
      expect(off.conditions).to.deep.equal([]);
    } finally {
      await second.stop();
    }
  });

  it('serve again when they are switched on, with nothing held against them', async () => {
    await crashOften();
    const foretold = await enable('probe', { dry_run: true }).expect(200);
    expect(foretold.body).to.include({ dry_run: true, enabled: true, sites: 1 });
    await lyceum.anonymous.get(probePing).expect(404);
    const on = await enable('probe').expect(200);
    expect(on.body).to.deep.equal({ id: 'probe', enabled: true, scope: 'network', locked: false });
    await lyceum.anonymous.get(crash).expect(500);
    await lyceum.anonymous.get(crash).expect(500);
    await lyceum.anonymous.get(probePing).expect(200);
    expect(await record('probe')).to.deep.include({ enabled: true, reason: null, error: null });
    const rows = await audit('module.error');
    expect(rows).to.have.length(2);
    expect(rows[0]).to.deep.include({ user_login: 'admin', subject: 'module:probe', to: null });
    expect(rows[0].from.code).to.equal('crashed');
    expect(rows[1]).to.deep.include({ user_login: null, subject: 'module:probe', from: null });
    expect(await audit('module.toggle')).to.deep.equal([]);
    await enable('probe').expect(200);
    expect(await audit('module.')).to.have.length(2);
  });

  it('stay off when they are switched off meanwhile, until they are switched on', async () => {
    await crashOften();
    await admin.put(`${modules}/probe`, { enabled: false }).expect(200);
    expect(await record('probe')).to.deep.include({ enabled: false, reason: 'error' });
    await enable('probe').expect(200);
    await lyceum.anonymous.get(probePing).expect(200);
    expect(await audit('module.toggle')).to.have.length(2);
  });

  it('come back for the whole installation, so not by the administrator of a site', async () => {
    const two = await lyceum.make.site('two');
    const owner = lyceum.as(await lyceum.make.user({ role: 'administrator', site: two.blog_id }), two);
    await crashOften();
    await lyceum.as({ headers: {} }, two).get(probePing).expect(404);
    const refused = await owner.put(`${modules}/probe`, { enabled: true, scope: 'site' }).expect(403);
    expect(refused.body.data).to.deep.equal({ status: 403, reason: 'condition', condition: 'loaded' });
    await enable('probe', { scope: 'site' }).expect(200);
    await lyceum.as({ headers: {} }, two).get(probePing).expect(200);
  });

  it('are switched off once, however many requests crash at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => lyceum.anonymous.get(crash)));
    expect(new Set(answers.map(({ status }) => status))).to.satisfy((found: Set<number>) =>
      [...found].every((status) => status === 500 || status === 404),
    );
    expect(await audit('module.error')).to.have.length(1);
    expect(await crashes('probe')).to.equal(3);
  });

  it('never end on with an error and a count that nobody sees, whatever races', async () => {
    for (let round = 0; round < 8; round += 1) {
      await Promise.all([...Array.from({ length: 4 }, () => lyceum.anonymous.get(crash)), enable('probe')]);
      const { error, enabled } = await record('probe');
      expect(enabled).to.equal(error === null);
      if (error) expect(await crashes('probe')).to.equal(3);
      else expect(await crashes('probe')).to.be.lessThan(3);
      await enable('probe').expect(200);
    }
  });

  it('are charged for an answer that does not come and for a check that throws', async () => {
    await lyceum.anonymous.post('test/probe/v1/never').expect(504);
    expect(await crashes('probe')).to.equal(1);
    await admin.get('test/breaker/v1/checked').expect(500);
    expect(await crashes('test_breaker')).to.equal(1);
    const other = await lyceum.anonymous.get('test/breaker/v1/wordless').expect(500);
    expect(other.body.code).to.equal('internal_error');
    expect(await crashes('test_breaker')).to.equal(2);
  });

  it('are charged for what cannot even be read', async () => {
    const { body } = await lyceum.anonymous.get('test/breaker/v1/thrown').expect(500);
    expect(body.code).to.equal('internal_error');
    expect(await crashes('test_breaker')).to.equal(1);
  });

  it('are not charged for what they foresaw, nor for clients, nor for the database', async () => {
    for (let time = 0; time < 3; time += 1) {
      await lyceum.anonymous.post('test/breaker/v1/foreseen/coded').expect(409);
      await lyceum.anonymous.post('test/breaker/v1/foreseen/sql').expect(400);
      await lyceum.anonymous.post('test/breaker/v1/foreseen/down').expect(503);
      await lyceum.anonymous.post('test/breaker/v1/foreseen/unknown').expect(400);
      await lyceum.anonymous.post('test/breaker/v1/ping').expect(405);
    }
    expect(await crashes('test_breaker')).to.equal(0);
  });

  it('are not charged for stopping when the client is gone', async () => {
    const request = new RawRequest(lyceum.origin);
    await request.write(
      'POST /api/test/breaker/v1/left HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n',
    );
    while (clients.waiting === 0) await soon();
    request.cut();
    while (clients.gone === 0) await soon();
    await lyceum.anonymous.get(ping).expect(200);
    expect(await crashes('test_breaker')).to.equal(0);
  });

  it('are forgiven what is older than an hour', async () => {
    await lyceum.anonymous.get(crash).expect(500);
    await lyceum.anonymous.get(crash).expect(500);
    await lyceum.host.db.knex.raw(`update module_crashes set at = at - interval '61 minutes' where id = 1`);
    await lyceum.anonymous.get(crash).expect(500);
    await lyceum.anonymous.get(probePing).expect(200);
    await lyceum.anonymous.get(crash).expect(500);
    await lyceum.anonymous.get(probePing).expect(404);
  });

  it('are charged for their listeners, whoever caused the notice', async () => {
    const { id } = await lyceum.make.user({ role: 'author' });
    for (let time = 0; time < 3; time += 1)
      await admin.delete(`svc/host/v1/users/${id}?reassign=1`).expect(500);
    expect((await record('test_breaker')).error.message).to.match(/host\.delete-user/);
    expect(await crashes('host')).to.equal(0);
  });

  it('are only spoken of when nobody could switch them on again', async () => {
    const charge = () =>
      lyceum.host.services.host(Crashes).charge({ module: 'host', place: 'a test', error: null });
    await Promise.all([charge(), charge(), charge(), charge()]);
    expect(await record('host')).to.deep.include({ enabled: true, error: null });
  });
});

describe('jobs that crash', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await boot({ config: { workers: 'inline' } });
  });
  after(() => lyceum.stop());

  it('end with their module, and wait until it is on', async () => {
    const admin = lyceum.as(await lyceum.make.admin());
    const enqueue = async (how: string): Promise<string> =>
      (await admin.post('test/breaker/v1/jobs', { how }).expect(200)).body.job_id;
    const until = async (id: string, good: (job: { status: string; message: string }) => boolean) => {
      for (;;) {
        const job = await lyceum.host.db.knex('jobs').where('job_id', id).first();
        if (good(job)) return job;
        await soon();
      }
    };
    const ended = (id: string) => until(id, ({ status }) => status === 'failed' || status === 'completed');
    for (let time = 0; time < 3; time += 1) {
      expect((await ended(await enqueue('coded'))).error.code).to.equal('breaker_refused');
    }
    await lyceum.anonymous.get(ping).expect(200);
    await ended(await enqueue('crash'));
    await ended(await enqueue('crash'));
    const [last, waiting] = [await enqueue('crash'), await enqueue('well')];
    expect((await ended(last)).error).to.deep.equal({
      code: 'internal_error',
      message: 'The job failed unexpectedly.',
    });
    await lyceum.anonymous.get(ping).expect(404);
    const { body } = await admin.get(`${modules}/test_breaker`).expect(200);
    expect(body.error.message).to.equal(
      'Crashed 3 times within 60 minutes: job test_breaker.break, job test_breaker.break, job test_breaker.break.',
    );
    const row = await until(waiting, ({ status, message }) => status === 'completed' || message !== '');
    if (row.status === 'pending') expect(row.message).to.equal('Module test_breaker is disabled.');
    await admin.put(`${modules}/test_breaker`, { enabled: true }).expect(200);
    expect((await ended(waiting)).status).to.equal('completed');
  });
});
