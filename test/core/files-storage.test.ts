import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { openStorage, type Storage } from '../../core/files/storage.ts';
import { FileMissing, FileTooLarge, InvalidKey, NotAsSaid } from '../../core/files/storage-errors.ts';
import { S3Server } from './files-s3-server.ts';

const options = { limit: 1_000_000, contentType: 'application/octet-stream' };

/** What every storage promises. `leftovers` names whatever lies in it besides the files of a test. */
function promises(open: () => Promise<{ storage: Storage; leftovers: () => Promise<string[]> }>): void {
  let storage: Storage;
  let leftovers: () => Promise<string[]>;
  before(async () => {
    ({ storage, leftovers } = await open());
  });
  afterEach(async () => {
    for (const key of await keysOf(storage, '')) await storage.remove(key);
    expect(await leftovers()).to.deep.equal([]);
  });

  it('gives back what was written, counted and hashed', async () => {
    const bytes = randomBytes(300_000);
    const stored = await storage.write('sites/1/a.bin', inChunks(bytes, 7000), options);
    expect(stored).to.deep.equal({ key: 'sites/1/a.bin', bytes: 300_000, sha256: sha256(bytes) });
    const file = await storage.read('sites/1/a.bin');
    expect(file?.bytes).to.equal(300_000);
    expect(Math.abs((file?.modified.getTime() ?? 0) - Date.now())).to.be.below(60_000);
    expect(file && (await buffer(file.stream))).to.deep.equal(bytes);
    expect((await storage.stat('sites/1/a.bin'))?.bytes).to.equal(300_000);
  });

  it('takes a finished file, which stays where it is', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-taken-'));
    try {
      const bytes = randomBytes(300_000);
      const file = { path: path.join(folder, 'done'), bytes: bytes.length, sha256: sha256(bytes) };
      await writeFile(file.path, bytes);
      await put(storage, 'sites/1/taken.bin', 'what was there');
      await storage.take('sites/1/taken.bin', file, options);
      expect(await content(storage, 'sites/1/taken.bin')).to.deep.equal(bytes);
      expect(await readFile(file.path)).to.deep.equal(bytes);
      await rm(file.path);
      expect((await storage.stat('sites/1/taken.bin'))?.bytes).to.equal(300_000);
      const gone = await failure(storage.take('sites/1/taken.bin', file, options));
      expect(gone).to.have.property('code', 'ENOENT');
      await writeFile(file.path, 'cut');
      expect(await failure(storage.take('sites/1/other.bin', file, options))).to.be.instanceOf(NotAsSaid);
      const aborted = AbortSignal.abort(new Error('enough'));
      const late = await failure(storage.take('sites/1/other.bin', file, { ...options, signal: aborted }));
      expect(late).to.have.property('message', 'enough');
      expect(await storage.stat('sites/1/other.bin')).to.equal(null);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('stores an empty file', async () => {
    const stored = await storage.write('sites/1/empty', Readable.from([]), options);
    expect(stored.bytes).to.equal(0);
    expect(await content(storage, 'sites/1/empty')).to.have.length(0);
  });

  it('replaces a file as a whole', async () => {
    await put(storage, 'a/b.txt', 'the old and longer one');
    await put(storage, 'a/b.txt', 'new');
    expect(String(await content(storage, 'a/b.txt'))).to.equal('new');
  });

  it('reads ranges with both ends included', async () => {
    await put(storage, 'r', '0123456789');
    const read = async (start: number, end: number): Promise<string> => {
      const file = await storage.read('r', { start, end });
      if (file === null) throw new Error('missing');
      expect(file.bytes).to.equal(10);
      return String(await buffer(file.stream));
    };
    expect(await read(0, 0)).to.equal('0');
    expect(await read(3, 5)).to.equal('345');
    expect(await read(8, 99)).to.equal('89');
    for (const range of [
      { start: 10, end: 12 },
      { start: 5, end: 4 },
    ]) {
      expect(await failure(storage.read('r', range))).to.be.instanceOf(RangeError);
    }
  });

  it('answers null for what is not there, and for folders', async () => {
    await put(storage, 'folder/file', 'x');
    for (const key of ['nothing', 'folder', 'folder/file/deeper', 'folder/other']) {
      expect(await storage.read(key), key).to.equal(null);
      expect(await storage.stat(key), key).to.equal(null);
    }
  });

  it('lets exactly the limit through and not a byte more', async () => {
    const limited = { ...options, limit: 10 };
    expect((await storage.write('exact', Readable.from([Buffer.alloc(10)]), limited)).bytes).to.equal(10);
    const error = await failure(storage.write('over', inChunks(Buffer.alloc(11), 1), limited));
    expect(error).to.be.instanceOf(FileTooLarge).with.property('limit', 10);
    expect(await storage.stat('over')).to.equal(null);
  });

  it('leaves nothing of a source that fails, nor changes what was there', async () => {
    await put(storage, 'kept', 'before');
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(200_000);
      throw new Error('connection lost');
    };
    for (const key of ['kept', 'new']) {
      const error = await failure(storage.write(key, broken(), options));
      expect(error).to.be.instanceOf(Error).with.property('message', 'connection lost');
    }
    expect(String(await content(storage, 'kept'))).to.equal('before');
    expect(await storage.stat('new')).to.equal(null);
  });

  it('leaves nothing of an aborted write, also while the source is silent', async () => {
    const abort = new AbortController();
    const silent = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(200_000);
      setTimeout(() => abort.abort(new Error('client gone')), 20);
      await new Promise(() => undefined);
    };
    const error = await failure(storage.write('aborted', silent(), { ...options, signal: abort.signal }));
    expect(error).to.be.instanceOf(Error).with.property('message', 'client gone');
    expect(await storage.stat('aborted')).to.equal(null);
    const late = await failure(
      storage.write('late', Readable.from(['x']), { ...options, signal: abort.signal }),
    );
    expect(late).to.equal(abort.signal.reason);
  });

  it('copies, also onto another file, and says when there is nothing to copy', async () => {
    const bytes = randomBytes(50_000);
    await storage.write('sites/1/a', inChunks(bytes, 9000), options);
    await put(storage, 'sites/2/b', 'old');
    await storage.copy('sites/1/a', 'sites/2/b');
    expect(await content(storage, 'sites/2/b')).to.deep.equal(bytes);
    expect(await failure(storage.copy('sites/1/none', 'sites/2/c'))).to.be.instanceOf(FileMissing);
    expect(await storage.stat('sites/2/c')).to.equal(null);
  });

  it('removes files any number of times', async () => {
    await put(storage, 'x/y/z', 'x');
    await storage.remove('x/y/z');
    await storage.remove('x/y/z');
    await storage.remove('x/y');
    expect(await storage.stat('x/y/z')).to.equal(null);
  });

  it('lists and removes what lies below a prefix, and only that', async () => {
    const keys = ['sites/1/a', 'sites/1/b/c', 'sites/1/b/d/e', 'sites/10/a', 'sites/1.zip'];
    for (const key of keys) await put(storage, key, key);
    expect(await keysOf(storage, 'sites/1')).to.deep.equal(['sites/1/a', 'sites/1/b/c', 'sites/1/b/d/e']);
    expect(await keysOf(storage, '')).to.have.members(keys);
    expect(await keysOf(storage, 'sites/3')).to.deep.equal([]);
    for await (const { key, bytes } of storage.list('sites')) expect(bytes).to.equal(key.length);
    await storage.removeFolder('sites/1');
    await storage.removeFolder('sites/1');
    await storage.removeFolder('sites/1.zip');
    expect(await keysOf(storage, '')).to.have.members(['sites/10/a', 'sites/1.zip']);
  });

  it('takes writes and removals side by side', async () => {
    const work = Array.from({ length: 60 }, async (_, index) => {
      const key = `deep/${index % 3}/folder/${index}`;
      await put(storage, key, String(index));
      if (index % 2 === 0) await storage.remove(key);
    });
    await Promise.all(work);
    expect(await keysOf(storage, 'deep')).to.have.length(30);
  });

  it('refuses keys that the host would not make, in every method', async () => {
    const bad = '../outside';
    const calls = [
      () => storage.write(bad, Readable.from(['x']), options),
      () => storage.read(bad),
      () => storage.stat(bad),
      () => storage.copy(bad, 'a'),
      () => storage.copy('a', bad),
      () => storage.remove(bad),
      () => storage.removeFolder(bad),
      () => storage.removeFolder(''),
      () => keysOf(storage, bad),
    ];
    for (const call of calls) expect(await failure(call()), String(call)).to.be.instanceOf(InvalidKey);
  });

  it('shows nothing of its own probe', async () => {
    await storage.check();
    await storage.check();
    expect(await keysOf(storage, '')).to.deep.equal([]);
  });
}

describe('storage in a folder', () => {
  let root: string;
  promises(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'files-'));
    const storage = openStorage(pathToFileURL(path.join(root, 'new', 'storage')).href);
    const leftovers = async (): Promise<string[]> => {
      const names = await readdir(path.join(root, 'new', 'storage'), { recursive: true });
      return names.filter((name) => name !== '.tmp');
    };
    return { storage, leftovers };
  });
  after(() => rm(root, { recursive: true }));
});

for (const prefix of ['', '/some/prefix']) {
  describe(`storage in a bucket, ${prefix === '' ? 'without prefix' : 'under a prefix'}`, () => {
    const server = new S3Server();
    before(() => {
      process.env.AWS_ACCESS_KEY_ID = 'test-key';
      process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
    });
    promises(async () => {
      await server.start();
      server.pageSize = 2;
      const leftovers = async (): Promise<string[]> => [
        ...Array.from(server.objects.keys()).filter((key) => !key.endsWith('.ready')),
        ...server.uploads.keys(),
      ];
      return { storage: openStorage(server.url(prefix)), leftovers };
    });
    after(() => server.stop());
  });
}

async function put(storage: Storage, key: string, text: string): Promise<void> {
  await storage.write(key, Readable.from([Buffer.from(text)]), options);
}

async function content(storage: Storage, key: string): Promise<Buffer> {
  const file = await storage.read(key);
  if (file === null) throw new Error(`missing: ${key}`);
  return await buffer(file.stream);
}

async function keysOf(storage: Storage, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.sort();
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
