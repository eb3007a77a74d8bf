import type { ChildProcess } from 'node:child_process';
import { killWorker, startWorker } from '@lyceum/core/testing';
import { expect } from 'chai';
import { BuildKit, picture, type Shown } from './build-kit.ts';

/** Where the installation is found from outside, whichever process serves. */
const baseUrl = new URL('http://localhost/');

describe('static_builder: a worker that is killed', () => {
  let kit: BuildKit;
  let worker: ChildProcess | null = null;
  before(async () => {
    // All processes must agree on the addresses of the site.
    kit = await BuildKit.start({ config: { workers: 'off', baseUrl } });
  });
  after(async () => {
    if (worker) await killWorker(worker);
    await kit.stop();
  });

  const kill = async (): Promise<void> => {
    if (worker) await killWorker(worker);
    worker = null;
  };
  const start = async (): Promise<void> => {
    await kill();
    worker = await startWorker(kit.lyceum, ['static_builder', 'lms'], { HOST_BASE_URL: baseUrl.href });
  };

  /** What holds a run at the beginning of a phase until it is let go: the first row that the phase writes. */
  const holds: Readonly<Record<string, readonly [string, string]>> = {
    pages: ['static_build_pages', 'true'],
    media: ['static_build_files', `new.kind = 'media'`],
    external: ['static_build_files', `new.kind = 'page'`],
    manifest: ['static_build_files', `new.kind = 'manifest'`],
    zip: ['static_build_files', `new.kind = 'zip'`],
    publish: ['static_builds', `new.status = 'completed'`],
  };

  const hold = async (phase: string): Promise<void> => {
    const [table, when] = holds[phase] ?? ['', ''];
    await kit.lyceum.host.db.knex.raw(
      `create table if not exists held (pid int);
       create or replace function hold() returns trigger language plpgsql as $$ begin
         if ${when} then perform pg_notify('lyceum', '{}'), pg_advisory_xact_lock(77, 7); end if; return new; end $$;
       create trigger hold before insert or update on ${table} for each row execute function hold()`,
    );
  };

  const release = async (phase: string): Promise<void> => {
    const [table] = holds[phase] ?? [''];
    await kit.lyceum.host.db.knex.raw(`drop trigger hold on ${table}`);
  };

  /** Kills the worker while it stands in the phase, with half of it done at most. */
  const killIn = async (phase: string): Promise<void> => {
    const { knex } = kit.lyceum.host.db;
    const end = Date.now() + 60_000;
    for (;;) {
      const { rows } = await knex.raw(
        `select 1 from pg_locks where locktype = 'advisory' and classid = 77 and not granted`,
      );
      if (rows.length > 0) break;
      expect(Date.now(), phase).to.be.lessThan(end);
    }
    await kill();
  };

  const pagesOf = async (build: Shown): Promise<string[]> => {
    const { pages } = JSON.parse(await kit.text(build, 'course.json')) as { pages: { href: string }[] };
    return pages.map(({ href }) => href);
  };

  for (const phase of Object.keys(holds)) {
    it(`in the phase ${phase}: the build is made whole with the same revision`, async () => {
      const url = await kit.upload(picture(phase.length * 7), `${phase}.gif`);
      const ids = [await kit.page(`A ${phase}`, `<img src="${url}">`), await kit.page(`B ${phase}`)];
      const { id } = await kit.create(ids, { api_type: 'cmi5' });
      const { knex } = kit.lyceum.host.db;
      await hold(phase);
      const holder = await knex.transaction();
      await holder.raw('select pg_advisory_xact_lock(77, 7)');
      await start();
      await kit.run(id);
      await killIn(phase);
      const before = await kit.get(id);
      expect(['build', 'building'], phase).to.include(before.status);
      expect(before.view_url).to.equal(null);
      await holder.rollback();
      await release(phase);
      await start();
      const ended = await kit.ended(id);
      expect(ended, JSON.stringify(ended.logs)).to.include({ status: 'completed', revision: 1 });
      for (const href of await pagesOf(ended)) await kit.text(ended, href);
      const zip = await kit.zip(ended);
      expect([...zip.keys()].filter((name) => name.startsWith('media/'))).to.have.length(1);
      const { losses } = await knex('static_builds').where({ id }).first('losses');
      expect(losses).to.equal(1);
      await kill();
    }).timeout(180_000);
  }

  it('while it stops: it is stopped, and nothing of the run is left', async () => {
    const { id } = await kit.create([await kit.page('S')]);
    const { knex } = kit.lyceum.host.db;
    await hold('zip');
    const holder = await knex.transaction();
    await holder.raw('select pg_advisory_xact_lock(77, 7)');
    await start();
    await kit.run(id);
    await killIn('zip');
    const { body } = await kit.admin.post(`svclms/static-builder/v1/builds/${id}/stop`).expect(200);
    expect(body.status).to.equal('stopping');
    await holder.rollback();
    await release('zip');
    await start();
    expect((await kit.ended(id)).status).to.equal('stopped');
    const end = Date.now() + 10_000;
    while ((await kit.stored()).some((key) => key.includes(`/${id}-`)))
      expect(Date.now()).to.be.lessThan(end);
    await kill();
  }).timeout(180_000);

  it('three times: the build is an error, and says so', async () => {
    const { id } = await kit.create([await kit.page('T')]);
    const { knex } = kit.lyceum.host.db;
    await hold('zip');
    const holder = await knex.transaction();
    await holder.raw('select pg_advisory_xact_lock(77, 7)');
    await start();
    await kit.run(id);
    await killIn('zip');
    // Two workers were lost before that one.
    await knex('static_builds').where({ id }).update({ losses: 2 });
    await holder.rollback();
    await release('zip');
    await start();
    const ended = await kit.ended(id);
    expect(ended.status).to.equal('error');
    expect(ended.logs[0]).to.include({ level: 'error', step: 'interrupted: three workers were lost' });
    await kill();
  }).timeout(180_000);
});
