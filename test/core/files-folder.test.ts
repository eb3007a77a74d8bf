import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { asStorageError } from '../../core/files/disk.ts';
import { openStorage } from '../../core/files/storage.ts';
import { StorageFull } from '../../core/files/storage-errors.ts';

const MEBIBYTE = 1024 * 1024;
const options = { limit: 400 * MEBIBYTE, contentType: 'application/octet-stream' };

describe('the folder of the storage', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'files-folder-'));
  });
  after(() => rm(root, { recursive: true }));

  it('streams 300 MB in and out with flat memory', async function () {
    this.timeout(60_000);
    const storage = openStorage(pathToFileURL(root).href);
    const memory = watchMemory();
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < 300 * 16; sent += 1) yield Buffer.alloc(MEBIBYTE / 16, sent);
    };
    // With a signal, since that is the path on which a promise for each chunk could keep the chunk.
    const signal = new AbortController().signal;
    const stored = await storage.write('large', chunks(), { ...options, signal });
    expect(stored.bytes).to.equal(300 * MEBIBYTE);
    const file = await storage.read('large');
    let read = 0;
    for await (const chunk of file?.stream ?? []) read += (chunk as Buffer).byteLength;
    expect(read).to.equal(300 * MEBIBYTE);
    expect(memory.stop()).to.be.below(96 * MEBIBYTE);
  });

  it('removes what killed processes left after a day, and nothing younger', async () => {
    const folder = path.join(root, 'swept');
    await mkdir(path.join(folder, '.tmp'), { recursive: true });
    for (const name of ['old', 'young']) await writeFile(path.join(folder, '.tmp', name), 'half');
    const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
    await utimes(path.join(folder, '.tmp', 'old'), twoDaysAgo, twoDaysAgo);
    await openStorage(pathToFileURL(folder).href).check();
    expect(await readdir(path.join(folder, '.tmp'))).to.deep.equal(['young']);
  });

  it('has nothing under the key while the write is going on', async () => {
    const storage = openStorage(pathToFileURL(root).href);
    const source = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(MEBIBYTE);
      expect(await storage.stat('later')).to.equal(null);
      yield Buffer.alloc(1);
    };
    expect((await storage.write('later', source(), options)).bytes).to.equal(MEBIBYTE + 1);
    expect((await storage.stat('later'))?.bytes).to.equal(MEBIBYTE + 1);
  });

  it('prunes folders that a removal emptied, up to its own', async () => {
    const folder = path.join(root, 'pruned');
    const storage = openStorage(pathToFileURL(folder).href);
    await storage.write('a/b/c/d', Readable.from([Buffer.from('x')]), options);
    await storage.write('a/e', Readable.from([Buffer.from('x')]), options);
    await storage.remove('a/b/c/d');
    expect(await readdir(path.join(folder, 'a'))).to.deep.equal(['e']);
    await storage.remove('a/e');
    expect(await readdir(folder)).to.deep.equal(['.tmp']);
  });

  it('says StorageFull when the system takes no more, leaves nothing, and works again', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = path.join(root, 'full');
    const program = `
      import { Readable } from 'node:stream';
      import { openStorage } from ${JSON.stringify(new URL('../../core/files/storage.ts', import.meta.url).href)};
      const storage = openStorage(${JSON.stringify(pathToFileURL(folder).href)});
      const options = { limit: 1e9, contentType: 'text/plain' };
      const write = (key, bytes) => storage.write(key, Readable.from([Buffer.alloc(bytes)]), options);
      const error = await write('large', 400_000).catch((reason) => reason);
      console.log(error.name, error.cause?.code, (await write('small', 1000)).bytes, await storage.stat('large'));`;
    // A limit on the size of files is what a test without rights can set; its error goes the way of a full disk's.
    const script = 'trap "" XFSZ; ulimit -f 200; exec "$0" --input-type=module -e "$1"';
    const child = spawn('/bin/sh', ['-c', script, process.execPath, program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(output.trim()).to.equal('StorageFull EFBIG 1000 null');
    expect(await readdir(folder, { recursive: true })).to.have.members(['.tmp', 'small']);
  });

  it('takes the error of a full disk for what it is', async function () {
    const device = '/dev/full';
    const error: unknown = await writeFile(device, 'x').catch((reason: unknown) => reason);
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOSPC') return this.skip();
    expect(asStorageError(error)).to.be.instanceOf(StorageFull).with.property('cause', error);
    const other = new Error('something else');
    expect(asStorageError(other)).to.equal(other);
  });
});

/** The growth of the process while it is watched, in bytes. */
function watchMemory(): { stop: () => number } {
  const start = process.memoryUsage.rss();
  let peak = start;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  return {
    stop: () => {
      clearInterval(timer);
      return peak - start;
    },
  };
}
