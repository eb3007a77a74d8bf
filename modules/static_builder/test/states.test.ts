import { expect } from 'chai';
import { BuildKit, picture, route } from './build-kit.ts';

const code = (name: string): string => `svclms_static_builder_${name}`;

describe('static_builder: states', () => {
  let idle: BuildKit;
  let kit: BuildKit;
  before(async () => {
    idle = await BuildKit.start({ config: { workers: 'off' } });
    kit = await BuildKit.start();
  });
  after(async () => {
    await idle.stop();
    await kit.stop();
  });

  const set = (of: BuildKit, id: number, status: string): Promise<unknown> =>
    of.lyceum.host.db.knex('static_builds').where({ id }).update({ status });

  it('allow what the table of states does, and nothing else', async () => {
    const ids = await idle.pages(1);
    const { id } = await idle.create(ids);
    const path = `${route}/builds/${id}`;
    const table: Readonly<Record<string, readonly [number, number, number, string?]>> = {
      // run, stop, patch, and the status after a stop
      new: [202, 409, 200],
      completed: [202, 409, 200],
      error: [202, 409, 200],
      stopped: [202, 409, 200],
      pending: [409, 200, 409, 'stopped'],
      build: [409, 200, 409, 'stopping'],
      rebuild: [409, 200, 409, 'stopping'],
      building: [409, 200, 409, 'stopping'],
      stopping: [409, 200, 409, 'stopping'],
    };
    for (const [status, [run, stop, patch, after]] of Object.entries(table)) {
      await set(idle, id, status);
      await idle.lyceum.host.db.knex('static_builds').where({ id }).update({ job_id: null });
      const busy = status === 'rebuild' ? code('page_cache_rebuild') : code('busy');
      const patched = await idle.admin.patch(path, { version: 3 });
      expect(patched.status, status).to.equal(patch);
      if (patch === 409) {
        expect(patched.body.code, status).to.equal(busy);
        const deleted = await idle.admin.delete(path);
        expect([deleted.status, deleted.body.code], status).to.deep.equal([409, busy]);
      }
      const stopped = await idle.admin.post(`${path}/stop`);
      expect(stopped.status, status).to.equal(stop);
      if (after) expect(stopped.body.status, status).to.equal(after);
      else expect(stopped.body.code, status).to.equal(code('cannot_stop'));
      await set(idle, id, status);
      const ran = await idle.admin.post(`${path}/run`);
      expect(ran.status, status).to.equal(run);
      if (run === 409) expect(ran.body.code, status).to.equal(busy);
      else expect(ran.body.status).to.equal('pending');
    }
  });

  it('give one of two runs the build, and its job with it', async () => {
    const { id } = await idle.create(await idle.pages(1));
    const answers = await Promise.all([1, 2, 3, 4].map(() => idle.admin.post(`${route}/builds/${id}/run`)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([202, 409, 409, 409]);
    const jobs = await idle.lyceum.host.db
      .knex('jobs')
      .where({ type: 'static_builder.build', status: 'pending' });
    expect(jobs.filter(({ payload }) => payload.build_id === id)).to.have.length(1);
    const { body } = await idle.admin.post(`${route}/builds/${id}/stop`).expect(200);
    expect(body.status).to.equal('stopped');
    const again = await idle.admin.post(`${route}/builds/${id}/stop`).expect(409);
    expect(again.body.code).to.equal(code('cannot_stop'));
    const { body: rows } = await idle.admin.get('svc/modules/v1/audit?module=static_builder').expect(200);
    const own = rows.filter(({ subject }: { subject: string }) => subject === `static_build:${id}`);
    expect(own.map(({ action }: { action: string }) => action)).to.deep.equal([
      ...['static_build.stop', 'static_build.run', 'static_build.create'],
    ]);
  });

  it('need a page that is left', async () => {
    const ids = await kit.pages(2);
    const { id } = await kit.create(ids);
    await kit.admin.delete(`svc/host/v1/posts/${ids[0]}`).expect(200);
    const one = await kit.built(id);
    expect(one.logs).to.deep.include({
      ...{ level: 'warning', step: `page_skipped: page ${ids[0]} is gone` },
      timestamp: one.logs.find(({ level }) => level === 'warning')?.timestamp,
    });
    expect(await kit.text(one, 'pages/002-page-2.html')).to.include('Page 2');
    await kit.admin.delete(`svc/host/v1/posts/${ids[1]}`).expect(200);
    const { body } = await kit.admin.post(`${route}/builds/${id}/run`).expect(409);
    expect(body.code).to.equal(code('no_pages'));
    expect((await kit.get(id)).view_url).to.equal(one.view_url);
  });

  it('are an error where all pages go while it waits; what was published stays', async () => {
    const ids = await kit.pages(1);
    const first = await kit.course(ids);
    await kit.lyceum.host.db.knex.raw(
      `create function lose_page() returns trigger language plpgsql as $$ begin
         update posts set status = 'trash' where id = ${ids[0]}; return new; end $$;
       create trigger lose_page after update on static_builds for each row
         when (new.id = ${first.id} and new.status = 'rebuild' and old.status = 'pending') execute function lose_page()`,
    );
    await kit.run(first.id);
    const ended = await kit.ended(first.id);
    await kit.lyceum.host.db.knex.raw('drop trigger lose_page on static_builds; drop function lose_page()');
    expect(ended).to.include({
      status: 'error',
      revision: 2,
      view_url: null,
      zip_url: null,
    });
    expect(ended.logs[0]).to.include({ level: 'error', step: 'no_pages' });
    expect(await kit.text(first, 'index.html')).to.include('Page 1');
    const end = Date.now() + 10_000;
    const left = async () => (await kit.stored()).filter((key) => key.includes(`/${first.id}-`));
    while ((await left()).some((key) => key.includes('/2/'))) expect(Date.now()).to.be.lessThan(end);
  });

  it('end in an error over the limit of bytes, and nothing is left of it', async () => {
    await kit.lyceum.make.settings('static_builder', {
      max_build_bytes: 3_000,
    });
    try {
      const { id } = await kit.create(await kit.pages(3));
      await kit.run(id);
      const ended = await kit.ended(id);
      expect(ended.status).to.equal('error');
      expect(ended.logs[0]).to.include({ level: 'error', step: 'build_too_large' });
      const left = async (): Promise<number> => {
        const rows = await kit.lyceum.host.db.knex('static_build_files').where({ build_id: id });
        return rows.length + (await kit.stored()).filter((key) => key.includes(`/${id}-`)).length;
      };
      const end = Date.now() + 10_000;
      while ((await left()) > 0) expect(Date.now()).to.be.lessThan(end);
    } finally {
      await kit.lyceum.make.settings('static_builder', {
        max_build_bytes: 10 * 1024 ** 3,
      });
    }
  });

  it('stay as they are where the database is in the way, and the run is tried again', async () => {
    const { knex } = kit.lyceum.host.db;
    // A lock that is not given, then a full disk.
    await knex.raw(
      `create sequence tries;
       create function stand_in_the_way() returns trigger language plpgsql as $$ begin
         case nextval('tries') when 1 then raise 'wait' using errcode = '55P03';
           when 2 then raise 'full' using errcode = '53100'; else return new; end case; end $$;
       create trigger in_the_way before insert on static_build_pages
         for each row execute function stand_in_the_way()`,
    );
    try {
      const { revision } = await kit.built((await kit.create(await kit.pages(1))).id);
      expect(revision).to.equal(1);
    } finally {
      await knex.raw(
        'drop trigger in_the_way on static_build_pages; drop function stand_in_the_way; drop sequence tries',
      );
    }
  });

  it('wake whoever waits, at each change', async () => {
    const { id } = await kit.create(await kit.pages(2));
    const waiting = kit.get(id, 30);
    await kit.run(id);
    let build = await waiting;
    expect(build.status).to.not.equal('new');
    const seen = new Set([build.status]);
    while (!['completed', 'error'].includes(build.status)) {
      build = await kit.get(id, 30);
      seen.add(build.status);
    }
    expect([...seen].at(-1)).to.equal('completed');
    const began = Date.now();
    await kit.get(id, 30);
    expect(Date.now() - began).to.be.lessThan(10_000);
  });

  it('stop within seconds, and the old revision is served on', async () => {
    const url = await kit.upload(picture(3), 'p.gif');
    const ids = await kit.pages(60);
    await kit.change(ids[0] ?? 0, { content: `<img src="${url}">` });
    const first = await kit.course(ids);
    for (const id of ids) await kit.change(id, { content: '<p>again</p>' });
    await kit.run(first.id);
    await kit.until(first.id, ({ status }) => status !== 'pending');
    const began = Date.now();
    const { body } = await kit.admin.post(`${route}/builds/${first.id}/stop`).expect(200);
    expect(body.status).to.equal('stopping');
    const ended = await kit.ended(first.id);
    expect(Date.now() - began).to.be.lessThan(15_000);
    expect(ended).to.include({
      status: 'stopped',
      revision: 2,
      view_url: null,
      zip_url: null,
    });
    const { pages } = JSON.parse(await kit.text(first, 'course.json')) as {
      pages: { href: string }[];
    };
    expect(await kit.text(first, pages[1]?.href ?? '')).to.include('<p>Page 2</p>');
    await kit.admin.post(`${route}/builds/${first.id}/stop`).expect(409);
    const again = await kit.built(first.id);
    expect(again.revision).to.equal(3);
  }).timeout(120_000);

  it('end once, whoever is faster: a stop or the end', async () => {
    const ids = await kit.pages(1);
    const builds: number[] = [];
    for (let at = 0; at < 4; at += 1) builds.push((await kit.create(ids)).id);
    const outcomes = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      const id = builds[round % builds.length] ?? 0;
      await kit.run(id);
      // Later each time, so that all of its run is met.
      await kit.until(id, ({ progress }) => progress.percent >= round * 12);
      const [one, two] = await Promise.all([
        kit.admin.post(`${route}/builds/${id}/stop`),
        kit.admin.post(`${route}/builds/${id}/stop`),
      ]);
      for (const { status } of [one, two]) expect([200, 409]).to.include(status);
      const ended = await kit.ended(id);
      const wasStopped = one.status === 200 || two.status === 200;
      expect(ended.status).to.equal(wasStopped ? 'stopped' : 'completed');
      outcomes.add(ended.status);
      const job = await kit.lyceum.host.db
        .knex('jobs')
        .whereRaw(`payload ->> 'build_id' = ?`, [String(id)])
        .where('type', 'static_builder.build')
        .orderBy('created_at', 'desc')
        .first('status', 'completed_at', 'job_id');
      const end = Date.now() + 10_000;
      for (let now = job; now.completed_at === null; ) {
        expect(Date.now()).to.be.lessThan(end);
        now = await kit.lyceum.host.db
          .knex('jobs')
          .where({ job_id: job.job_id })
          .first('status', 'completed_at');
      }
      const { status } = await kit.lyceum.host.db.knex('jobs').where({ job_id: job.job_id }).first('status');
      expect(status).to.equal(wasStopped ? 'cancelled' : 'completed');
    }
    expect(outcomes.size).to.be.at.least(1);
  }).timeout(120_000);

  it('stop when the module is switched off, and wait while it is', async () => {
    const ids = await kit.pages(30);
    const one = await kit.create(ids);
    const two = await kit.create(ids);
    await kit.run(one.id);
    await kit.run(two.id);
    await kit.until(one.id, ({ status }) => status !== 'pending');
    await kit.admin.put('svc/modules/v1/modules/static_builder', { enabled: false }).expect(200);
    const { knex } = kit.lyceum.host.db;
    const statusOf = async (id: number): Promise<string> =>
      (await knex('static_builds').where({ id }).first('status')).status;
    const end = Date.now() + 15_000;
    while (!['stopped', 'completed'].includes(await statusOf(one.id))) expect(Date.now()).to.be.lessThan(end);
    expect(['pending', 'stopped']).to.include(await statusOf(two.id));
    await kit.admin.get(`${route}/builds/${one.id}`).expect(404);
    await kit.admin.put('svc/modules/v1/modules/static_builder', { enabled: true }).expect(200);
    expect((await kit.ended(two.id)).status).to.be.oneOf(['completed', 'stopped']);
  }).timeout(120_000);
});
