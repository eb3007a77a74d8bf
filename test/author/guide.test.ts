import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { type Block, blocksOf, shows } from './read-me.ts';
import { Shell } from './shell.ts';

const project = path.resolve(import.meta.dirname, '../..');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the guide for authors of modules', () => {
  it('is read right: a dots stands for anything, and nothing else does', () => {
    expect(shows('a…c', 'abbbc')).to.equal(true);
    expect(shows('a…c', 'abbbcd')).to.equal(false);
    expect(shows('…c', 'xc')).to.equal(true);
    expect(shows('b…', 'abc')).to.equal(false);
    expect(shows('abc', 'abd')).to.equal(false);
    expect(blocksOf('x\n```js a/b.js\n1\n2\n```\n')).to.deep.equal([
      { kind: 'js', note: 'a/b.js', text: '1\n2', line: 2 },
    ]);
  });

  it('does what it says, block by block', async function () {
    this.timeout(600_000);
    const home = await mkdtemp(path.join(tmpdir(), 'lyceum-guide-'));
    // As root the database runs as another user, who must get in.
    await chmod(home, 0o755);
    const port = await freePort();
    const env = { ...process.env, HOME: home, PORT: String(port), NO_PROXY: '*', no_proxy: '*' };
    const shell = new Shell({ cwd: project, env });
    const blocks = blocksOf(await readFile(path.join(project, 'modules/README.md'), 'utf8'));
    let printed = '';
    const follow = async ({ kind, note, text, line }: Block): Promise<void> => {
      const script = text.replaceAll('localhost:8080', `localhost:${port}`);
      if (kind === 'text') expect(shows(text, printed), `line ${line}:\n${printed}`).to.equal(true);
      else if (kind === 'sh' && note === 'background') await shell.start(script, '"ready"');
      else if (kind === 'sh') printed = await shell.run(script);
      else {
        const file = path.join(home, 'modules', note);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, text);
      }
    };
    try {
      for (const block of blocks) await follow(block);
      const kinds = new Set(blocks.map(({ kind }) => kind));
      expect([...kinds].sort()).to.deep.equal(['js', 'json', 'sh', 'text', 'ts']);
    } finally {
      await shell.close();
      await rm(home, { recursive: true, force: true });
    }
  });
});
