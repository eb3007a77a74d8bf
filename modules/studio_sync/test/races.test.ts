import { type HostProcess, killWorker, startServer } from '@lyceum/core/testing';
import { expect } from 'chai';
import { disconnect, documentOf, hashes, items, type Studio, StudioKit, status } from './studio-kit.ts';

type Answer = { readonly status: number; readonly body: Record<string, never> & { code?: string } };

async function ask(
  { origin }: Pick<HostProcess, 'origin'>,
  { headers }: Studio,
  method: string,
  route: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${origin}/api/${route}`, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

describe('studio_sync: over two processes', function () {
  this.timeout(60_000);
  let kit: StudioKit;
  let processes: HostProcess[];
  let studio: Studio;

  before(async () => {
    kit = await StudioKit.start();
    processes = await Promise.all([0, 1].map(() => startServer(kit.lyceum, ['studio_sync'])));
    studio = await kit.studio(await kit.lyceum.make.user({ role: 'editor' }));
  });
  after(async () => {
    await Promise.all(processes.map(({ child }) => killWorker(child)));
    await kit.lyceum.stop();
  });

  const serving = (at: number): HostProcess => {
    const found = processes[at % processes.length];
    if (!found) throw new Error('No process is there.');
    return found;
  };
  const write = (at: number, id: number, base_hash: string, content: string): Promise<Answer> =>
    ask(serving(at), studio, 'PATCH', documentOf(id), { base_hash, content });

  it('lets one of fifty writers with the same base in, ten times over', async () => {
    const post = await kit.post();
    let base: string = hashes.hello;
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_none, at) => write(at, post.id, base, `round ${round}, writer ${at}`)),
      );
      const won = answers.filter((answer) => answer.status === 200);
      expect(won).to.have.length(1);
      expect(answers.filter((answer) => answer.body.code === 'studio_sync_conflict')).to.have.length(49);
      const shown = await ask(serving(round), studio, 'GET', documentOf(post.id));
      const now = shown.body as unknown as { item: { hash: string; content: string } };
      expect(won[0]?.body).to.have.nested.property('item.hash', now.item.hash);
      expect(now.item.content).to.match(new RegExp(`^round ${round}, writer \\d+$`));
      base = now.item.hash;
    }
    const kept = await kit.revisions(post.id);
    expect(kept.map(({ source }) => source)).to.deep.equal([...Array(10).fill('studio'), 'host']);
  });

  it('keeps every state while six studios write over each other', async () => {
    const post = await kit.post();
    await kit.lyceum.make.settings('studio_sync', { revisions_keep: 200 });
    const written = new Set<string>(['<p>Hello</p>']);
    const studioWrites = async (at: number): Promise<void> => {
      for (let turn = 0; turn < 6; turn += 1) {
        const { body } = await ask(serving(at), studio, 'GET', documentOf(post.id));
        const { hash } = (body as unknown as { item: { hash: string } }).item;
        const content = `studio ${at}.${turn}`;
        const answer = await write(at + turn, post.id, hash, content);
        expect(answer.status).to.be.oneOf([200, 409]);
        if (answer.status === 200) written.add(content);
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_none, at) => studioWrites(at)));
    const kept = new Set((await kit.revisions(post.id)).map(({ content }) => content));
    expect([...written].filter((content) => !kept.has(content))).to.deep.equal([]);
    expect(kept.size).to.equal(written.size);
    await kit.lyceum.make.settings('studio_sync', { revisions_keep: 20 });
  });

  it('repeats a write harmlessly, however many at once', async () => {
    const post = await kit.post();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_none, at) => write(at, post.id, hashes.hello, 'same')),
    );
    expect(new Set(answers.map((answer) => answer.status))).to.deep.equal(new Set([200]));
    const changed = answers.filter(({ body }) => (body as unknown as { changed: boolean }).changed);
    expect(changed).to.have.length(1);
    expect(await kit.revisions(post.id)).to.have.length(2);
  });

  it('ends a connection, a role and an account everywhere at the next request', async () => {
    const ann = await kit.lyceum.make.user({ role: 'editor' });
    const own = await kit.studio(ann);
    expect((await ask(serving(1), own, 'GET', items)).status).to.equal(200);
    await kit.knex('memberships').where({ user_id: ann.id }).update({ role: 'subscriber' });
    expect((await ask(serving(1), own, 'GET', items)).status).to.equal(403);
    const { connection_id } = own;
    expect((await ask(serving(0), own, 'POST', disconnect, { connection_id })).status).to.equal(200);
    const after = await ask(serving(1), own, 'GET', status);
    expect(after.body.code).to.equal('studio_sync_connection_revoked');
  });

  it('leaves the document as it was or as it became when a process is killed while it writes', async () => {
    const post = await kit.post();
    const doomed = await startServer(kit.lyceum, ['studio_sync']);
    const big = 'y'.repeat(3_000_000);
    let base: string = hashes.hello;
    const writing = (async () => {
      for (let turn = 0; ; turn += 1) {
        const answer = await ask(doomed, studio, 'PATCH', documentOf(post.id), {
          base_hash: base,
          content: `${big}${turn}`,
        });
        base = (answer.body as unknown as { item: { hash: string } }).item.hash;
        if (turn === 3) void killWorker(doomed.child);
      }
    })();
    await writing.catch(() => undefined);
    const row = await kit.knex('posts').where({ id: post.id }).first('content', 'hash');
    const [newest] = await kit.revisions(post.id);
    expect(newest).to.deep.include({ hash: row.hash });
    expect(newest?.content === row.content).to.equal(true);
    const { body } = await write(0, post.id, row.hash, 'after');
    expect((body as unknown as { changed: boolean }).changed).to.equal(true);
  });
});
