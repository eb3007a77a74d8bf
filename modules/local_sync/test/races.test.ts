import { type HostProcess, killWorker, startServer } from '@lyceum/core/testing';
import { expect } from 'chai';
import { file, LocalKit, page, png, root } from './local-kit.ts';

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly sync_id: string;
  readonly pages: {
    readonly key: string;
    readonly post_id: number;
    readonly action: string;
    readonly reason: string;
  }[];
  readonly summary: Record<string, number>;
}

describe('local_sync: many at once, over two processes', function () {
  this.timeout(120_000);
  let kit: LocalKit;
  let processes: [HostProcess, HostProcess];
  before(async () => {
    kit = await LocalKit.start();
    processes = (await Promise.all(
      [0, 1].map(() => startServer(kit.lyceum, ['local_sync'])),
    )) as typeof processes;
  });
  after(async () => {
    await Promise.all(processes.map(({ child }) => killWorker(child)));
    await kit.lyceum.stop();
  });

  async function send({ origin }: Pick<HostProcess, 'origin'>, body: object): Promise<Answer> {
    const response = await fetch(`${origin}/api/${root}/sync`, {
      method: 'POST',
      headers: { ...kit.admin.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { ...((await response.json()) as Answer), status: response.status };
  }
  const at = (number: number): HostProcess => processes[number % 2] as HostProcess;
  const many = (project: string, count: number, text: string) =>
    Array.from({ length: count }, (_none, number) =>
      page(`p${number}`, `${text} ${number}`, { slug: `${project}-${number}` }),
    );

  it('one real sync of a project at a time, of fifty; plans collide with nobody', async () => {
    const project = kit.project();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_none, number) =>
        send(at(number), { project, pages: many(project, 30, `writer ${number}`), on_conflict: 'overwrite' }),
      ),
    );
    const plans = await Promise.all(
      Array.from({ length: 20 }, (_none, number) =>
        send(at(number), { project, pages: many(project, 30, `writer ${number}`), dry_run: number !== 7 }),
      ),
    );
    expect(plans.map(({ status }) => status)).to.deep.equal(plans.map(() => 200));
    const [won, lost] = [
      answers.filter((one) => one.status === 200),
      answers.filter((one) => one.status === 409),
    ];
    expect(won.length).to.be.at.least(1);
    expect(won.length + lost.length).to.equal(50);
    expect(new Set(lost.map(({ code }) => code))).to.deep.equal(new Set(['local_sync_busy']));
    // Each that won did all of it, the next one on top of what it left: no write of one was mixed with another's.
    for (const { summary } of won) expect((summary.created ?? 0) + (summary.updated ?? 0)).to.equal(30);
    expect(won.filter(({ summary }) => summary.created === 30)).to.have.length(1);
    const audits = (await kit.audited('sync')).filter(
      ({ to }) => (to as { project: string }).project === project,
    );
    expect(audits).to.have.length(won.length + 1);
    const posts = await kit.knex('posts').where({ type: 'page' }).whereLike('slug', `${project}-%`);
    expect(posts).to.have.length(30);
    expect(
      new Set(posts.map(({ content }: { content: string }) => content.replace(/ \d+$/, ''))).size,
    ).to.equal(1);
    const revisions = await kit.knex('post_revisions').where({ post_id: posts[0].id });
    expect(revisions).to.have.length(won.length + 1);
  });

  it('fifty syncs of as many projects do not keep each other', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_none, number) => {
        const project = `many-${number}`;
        return send(at(number), { project, pages: many(project, 3, 'x') });
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    const { rows } = await kit.knex.raw(
      `select count(*) as n from pg_stat_activity where application_name = 'lyceum locks' and datname = current_database()`,
    );
    expect(rows[0].n).to.equal(0);
  });

  it('a site that is edited meanwhile loses no text', async () => {
    const project = kit.project();
    const first = await send(at(0), { project, pages: many(project, 40, 'one') });
    const edits = first.pages.map(async ({ post_id }) => {
      await kit.client.patch(`svc/host/v1/posts/${post_id}`, { content: `site ${post_id}` }).expect(200);
    });
    const [second] = await Promise.all([
      send(at(1), { project, pages: many(project, 40, 'two'), on_conflict: 'overwrite' }),
      ...edits,
    ]);
    expect(second.status).to.equal(200);
    for (const { post_id } of first.pages) {
      const texts = new Set(
        (await kit.revisions(post_id)).map(({ content }) => content.replace(/ \d+$/, '')),
      );
      const now = (await kit.post(post_id)).content.replace(/ \d+$/, '');
      expect([...new Set([...texts, now])].sort()).to.deep.equal(['one', 'site', 'two']);
    }
  });

  it('a sync whose process is killed is finished by the same request; what was done stays', async () => {
    const project = kit.project();
    const pages = many(project, 200, '<img src="local://x.png">');
    const body = { project, pages, files: [file('x.png', png())] };
    const doomed = await startServer(kit.lyceum, ['local_sync']);
    const running = send(doomed, body).catch(() => null);
    const written = async () =>
      Number(
        (
          await kit
            .knex('local_project_pages as n')
            .join('local_projects as p', 'p.project_id', 'n.project_id')
            .where({ project })
            .count({ n: '*' })
            .first()
        )?.n,
      );
    while ((await written()) < 20);
    await killWorker(doomed.child);
    expect(await running).to.equal(null);
    const done = await written();
    expect(done).to.be.within(20, 199);
    const posts = await kit.knex('posts').whereLike('slug', `${project}-%`);
    expect(posts).to.have.length(done);
    const kept = await kit.knex('post_revisions').whereIn(
      'post_id',
      posts.map(({ id }: { id: number }) => id),
    );
    expect(kept).to.have.length(done);

    let again = await send(at(0), body);
    // The server may take a moment to notice that the connection is gone.
    while (again.status === 409) again = await send(at(0), body);
    expect(again.summary).to.deep.include({ unchanged: done, created: 200 - done, failed: 0 });
    const last = await send(at(1), body);
    expect(last.summary).to.deep.include({ unchanged: 200, created: 0 });
  });

  it('a sync that lost its lock writes nothing after another one has begun', async () => {
    const project = kit.project();
    const slow = many(project, 200, 'slow');
    const running = send(at(0), { project, pages: slow });
    const begun = async () => (await kit.knex('local_projects').where({ project }).first('turn'))?.turn;
    while (!(await begun())) await Promise.resolve();
    await kit.knex.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lyceum locks' and datname = current_database()`,
    );
    let second = await send(at(1), { project, pages: many(project, 200, 'fast'), on_conflict: 'overwrite' });
    while (second.status === 409) {
      second = await send(at(1), { project, pages: many(project, 200, 'fast'), on_conflict: 'overwrite' });
    }
    expect(second.status).to.equal(200);
    const first = await running;
    expect([200, 409]).to.include(first.status);
    const posts = await kit.knex('posts').whereLike('slug', `${project}-%`);
    expect(posts).to.have.length(200);
    const texts = new Set(posts.map(({ content }: { content: string }) => content.split(' ')[0]));
    expect([...texts]).to.deep.equal(['fast']);
  });

  it('a sync whose client goes away ends between two pages, and is finished by the same request', async () => {
    const project = kit.project();
    const pages = many(project, 200, 'left');
    const gone = new AbortController();
    const running = fetch(`${kit.lyceum.origin}/api/${root}/sync`, {
      method: 'POST',
      headers: { ...kit.admin.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ project, pages }),
      signal: gone.signal,
    }).catch(() => null);
    const written = async () =>
      (await kit.knex('posts').whereLike('slug', `${project}-%`).count({ n: '*' }).first())?.n as number;
    while ((await written()) < 5);
    gone.abort();
    expect(await running).to.equal(null);
    let again = await send(kit.lyceum, { project, pages });
    while (again.status === 409) again = await send(kit.lyceum, { project, pages });
    const { unchanged = 0, created = 0 } = again.summary;
    expect([unchanged >= 5, created > 0, unchanged + created]).to.deep.equal([true, true, 200]);
    expect(await kit.knex('module_crashes').where({ module: 'local_sync' })).to.deep.equal([]);
  });

  it('a project is not forgotten while it is synced', async () => {
    const project = kit.project();
    const running = send(at(0), { project, pages: many(project, 100, 'x') });
    while (!(await kit.knex('local_projects').where({ project }).first('turn'))?.turn)
      await Promise.resolve();
    const refused = await kit.client.delete(`${root}/projects/${project}`);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'local_sync_busy']);
    expect((await running).status).to.equal(200);
    await kit.client.delete(`${root}/projects/${project}`).expect(200);
  });
});
