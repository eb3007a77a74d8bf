import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { connect, StudioKit } from './studio-kit.ts';

const main = path.join(import.meta.dirname, '../client/main.ts');

interface Told {
  readonly code: number | null;
  readonly text: string;
}

async function textOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let text = '';
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', (part) => (text += part));
  await Promise.all([stdout, stderr].map((stream) => stream && once(stream, 'end')));
  return text;
}

describe('studio_sync: the client', function () {
  this.timeout(60_000);
  let kit: StudioKit;
  let folder: string;
  before(async () => {
    kit = await StudioKit.start();
    folder = await mkdtemp(path.join(tmpdir(), 'lyceum-studio-'));
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
    await kit.lyceum.stop();
  });

  async function studio(...given: string[]): Promise<Told> {
    const child = spawn(process.execPath, [main, ...given], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [text, [code]] = await Promise.all([textOf(child), once(child, 'exit') as Promise<[number]>]);
    return { code, text };
  }
  const file = (name: string): string => path.join(folder, name);
  const onSite = async (id: number): Promise<string> =>
    (await kit.lyceum.as(kit.admin).get(`svc/host/v1/posts/${id}`).expect(200)).body.content;
  const change = (id: number, content: string) =>
    kit.lyceum.as(kit.admin).patch(`svc/host/v1/posts/${id}`, { content }).expect(200);

  it('connects, pulls, pushes what was edited, and shows what is in the way', async () => {
    const ann = await kit.lyceum.make.user({ role: 'editor' });
    const post = await kit.post({ slug: 'welcome', content: 'one \r\n' });
    const other = await kit.post({ slug: 'other' });
    const token = await kit.connectToken(ann);
    const url = `${kit.lyceum.origin}/api/${connect}`;
    expect(await studio('connect', url, token)).to.deep.equal({ code: 0, text: '' });
    expect((await stat(file('.studio.json'))).mode & 0o077).to.equal(0);

    const pulled = await studio('pull');
    const name = `page/${post.id}-welcome.html`;
    expect(pulled.text).to.include(`pulled ${name}`).and.include(`pulled page/${other.id}-other.html`);
    expect(await readFile(file(name), 'utf8')).to.equal('one \r\n');
    expect(await studio('pull')).to.deep.equal({ code: 0, text: '' });

    await writeFile(file(name), 'edited here');
    const pushed = await studio('push');
    expect(pushed.text).to.match(new RegExp(`^pushed ${name} [0-9a-f]{64}\n$`));
    expect(await onSite(post.id)).to.equal('edited here');
    expect(await studio('push')).to.deep.equal({ code: 0, text: '' });

    await change(post.id, 'edited there');
    await writeFile(file(name), 'edited here again');
    const conflict = await studio('push');
    expect(conflict).to.deep.equal({ code: 2, text: `conflict ${name} ${name}.theirs\n` });
    expect(await onSite(post.id)).to.equal('edited there');
    expect(await readFile(file(name), 'utf8')).to.equal('edited here again');
    expect(await readFile(file(`${name}.theirs`), 'utf8')).to.equal('edited there');

    // Somebody was quicker once more: resolving covers what was looked at, and nothing after it.
    await change(post.id, 'and again');
    await studio('resolve', name);
    expect((await studio('push')).text).to.equal(`conflict ${name} ${name}.theirs\n`);
    await studio('resolve', name);
    expect((await studio('push')).text).to.include(`pushed ${name}`);
    expect(await onSite(post.id)).to.equal('edited here again');

    await change(other.id, 'new there');
    await writeFile(file(`page/${other.id}-other.html`), 'new here');
    expect((await studio('pull')).text).to.include(`conflict page/${other.id}-other.html`);
    expect(await readFile(file(`page/${other.id}-other.html`), 'utf8')).to.equal('new here');
  });

  it('says why a document is refused, and ends with its connection', async () => {
    const page = await kit.post({ slug: 'built', meta: { editor: 'pagebuilder' } });
    await studio('pull');
    const name = `page/${page.id}-built.json`;
    await writeFile(file(name), '{"a":1}');
    const refused = await studio('push');
    expect(refused.code).to.equal(2);
    expect(refused.text).to.include(`refused ${name} studio_sync_invalid_content`).and.include('pb_root');
    const state = await readFile(file('.studio.json'), 'utf8');
    expect((await studio('disconnect')).code).to.equal(0);
    await writeFile(file('.studio.json'), state);
    const over = await studio('pull');
    expect(over.code).to.equal(1);
    expect(over.text).to.include('studio_sync_connection_revoked');
  });
});
