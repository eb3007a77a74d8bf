import path from 'node:path';
import { type Client, runSchedule, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const route = 'svc/host/v1/posts';
const hour = 60 * 60 * 1000;

describe('host: planned posts', () => {
  let lyceum: TestHost;
  let admin: Client;
  let now: number;

  beforeEach(async () => {
    now = Date.now();
    lyceum = await startTestHost({
      modules: ['lms', 'test_strict'],
      folders: [path.join(import.meta.dirname, 'packages')],
      config: { workers: 'inline' },
      now: () => new Date(now),
    });
    admin = lyceum.as(await lyceum.make.admin());
  });
  afterEach(() => lyceum.stop());

  const plan = async (given: object, at: number, client = admin): Promise<number> => {
    const body = { title: 'Soon', ...given, status: 'future', created_at: new Date(at).toISOString() };
    return (await client.post(route, body).expect(201)).body.id;
  };
  const turn = (): Promise<void> => runSchedule(lyceum, 'host.publish-planned');
  const statusOf = async (id: number, client = admin): Promise<string> =>
    (await client.get(`${route}/${id}`).expect(200)).body.status;
  /** Publishing jobs, when none is at work any more. */
  const jobs = async () => {
    for (;;) {
      const { body } = await admin.get('svc/host/v1/jobs?all=true&type=host.publish').expect(200);
      const open = body.find((job: { completed_at: string | null }) => job.completed_at === null);
      if (!open) return body;
      await admin.get(`svc/host/v1/jobs/${open.job_id}?wait=30`).expect(200);
    }
  };

  it('come out when their time has come, on every site, by a job of the site', async () => {
    const two = await lyceum.make.site('two');
    const asTwo = lyceum.as(await lyceum.make.admin(), two);
    const soon = await plan({}, now + hour);
    const page = await plan({ type: 'page' }, now + hour);
    const course = await plan({ type: 'course' }, now + hour);
    const later = await plan({}, now + 3 * hour);
    const other = await plan({}, now + hour, asTwo);
    const updated = async (): Promise<string> =>
      (await lyceum.host.db.knex('sites').where('blog_id', 1).first('last_updated')).last_updated;
    await turn();
    expect(await jobs()).to.deep.equal([]);
    const before = await updated();

    now += 2 * hour;
    await turn();
    const done = await jobs();
    expect(
      done.map(({ result, user_id }: { result: object; user_id: null }) => [result, user_id]),
    ).to.have.deep.members([
      [{ published: 3 }, null],
      [{ published: 1 }, null],
    ]);
    expect(await Promise.all([soon, page, course, later].map((id) => statusOf(id)))).to.deep.equal([
      'publish',
      'publish',
      'publish',
      'future',
    ]);
    expect(await statusOf(other, asTwo)).to.equal('publish');
    expect(Date.parse(await updated())).to.be.above(Date.parse(before));
    const { body } = await admin.get(`${route}/${soon}`).expect(200);
    expect(body.modified_at).to.equal(new Date(now).toISOString());
    await turn();
    expect(await jobs()).to.have.length(2);
  });

  it('come out in batches, all of them', async () => {
    const made = new Date(now - hour);
    await lyceum.host.db.knex.raw(
      `insert into posts (blog_id, type, status, slug, author_id, lang, hash, search, created_at)
       select 1, 'post', 'future', 'p-' || n, 1, 'en', '', '', ? from generate_series(1, 250) n`,
      [made],
    );
    await turn();
    const [job] = await jobs();
    expect(job.result).to.deep.equal({ published: 250 });
    expect(await lyceum.host.db.knex('posts').where('status', 'publish').pluck('id')).to.have.length(250);
  });

  it('that a module lets not come out become drafts, and hold up no other', async () => {
    const never = await plan({ title: 'Never out' }, now + hour);
    const fixed = await plan({ title: 'Fixed' }, now + hour);
    const other = await plan({}, now + hour);
    now += 2 * hour;
    await turn();
    const [job] = await jobs();
    expect(job.result).to.deep.equal({ published: 1 });
    expect(await Promise.all([never, fixed, other].map((id) => statusOf(id)))).to.deep.equal([
      'draft',
      'future',
      'publish',
    ]);
    const { body: events } = await admin.get(`svc/host/v1/jobs/${job.job_id}/events`).expect(200);
    const warnings = events.filter(({ level }: { level: string }) => level === 'warning');
    expect(warnings.map(({ data }: { data: object }) => data)).to.deep.equal([
      { id: never, left: 'draft' },
      { id: fixed, left: 'future' },
    ]);
    // It is asked about again, but not every time that somebody looks.
    await turn();
    expect(await jobs()).to.have.length(1);
    const next = await plan({}, now + 60_000);
    now += 120_000;
    await turn();
    expect(await jobs()).to.have.length(2);
    expect(await statusOf(next)).to.equal('publish');
    now += 2 * hour;
    await turn();
    expect(await jobs()).to.have.length(3);
  });

  it('stay when their plans were changed', async () => {
    const id = await plan({}, now + hour);
    await admin.patch(`${route}/${id}`, { created_at: new Date(now + 5 * hour).toISOString() }).expect(200);
    const dropped = await plan({}, now + hour);
    await admin.patch(`${route}/${dropped}`, { status: 'draft' }).expect(200);
    now += 2 * hour;
    await turn();
    expect(await jobs()).to.deep.equal([]);
    expect(await statusOf(id)).to.equal('future');
    expect(await statusOf(dropped)).to.equal('draft');
  });

  it('are looked for so often that none waits a minute', async () => {
    const { schedules } = lyceum.host.modules.get('host')?.spec ?? { schedules: [] };
    const schedule = schedules.find(({ id }) => id === 'host.publish-planned');
    expect(schedule?.everySeconds).to.be.at.most(20);
    const id = await plan({}, now + hour);
    now += 2 * hour;
    await turn();
    while ((await statusOf(id)) !== 'publish') await new Promise((resolve) => setImmediate(resolve));
  });
});
