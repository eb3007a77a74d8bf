import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { S3Storage } from '../../core/files/s3-storage.ts';
import { FileTooLarge, StorageFull } from '../../core/files/storage-errors.ts';
import { parseStorageUrl } from '../../core/files/storage-url.ts';
import { S3Server } from './files-s3-server.ts';

const PART = 64 * 1024;
const options = { limit: 100 * PART, contentType: 'video/mp4' };

describe('the bucket of the storage', () => {
  let server: S3Server;
  let storage: S3Storage;
  beforeEach(async () => {
    process.env.AWS_ACCESS_KEY_ID = 'test-key';
    process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
    server = new S3Server();
    await server.start();
    const location = parseStorageUrl(server.url('/p'));
    if (location.kind !== 's3') throw new Error('not a bucket');
    storage = new S3Storage(location, { partBytes: PART, copyPartBytes: PART });
  });
  afterEach(() => server.stop());

  const requests = (): string[] => server.log.filter((line) => line !== 'GET ?uploads');

  it('puts what does not fill a part in one request, with its type', async () => {
    await storage.write('a', source(PART - 1), options);
    expect(requests()).to.deep.equal(['PUT p/a']);
    expect(server.objects.get('p/a')?.type).to.equal('video/mp4');
  });

  it('sends larger files in parts of one size, with only the last one shorter', async () => {
    for (const bytes of [PART, 3 * PART, 3 * PART + 1]) {
      const content = randomBytes(bytes);
      const stored = await storage.write(
        'b',
        Readable.from([content.subarray(0, 10), content.subarray(10)]),
        options,
      );
      expect(stored.bytes).to.equal(bytes);
      const file = await storage.read('b');
      expect(file && (await buffer(file.stream))).to.deep.equal(content);
    }
    expect(server.largestBody).to.equal(PART);
    expect(server.objects.get('p/b')?.type).to.equal('video/mp4');
    expect(server.uploads.size).to.equal(0);
  });

  it('aborts the upload when a part, the end or the limit fails', async () => {
    for (const failing of ['PUT p/c?uploadId', 'POST p/c?uploadId']) {
      server.fault = (line) => (line === failing ? { status: 403, code: 'AccessDenied' } : null);
      expect(await failure(storage.write('c', source(3 * PART), options))).to.have.property(
        'name',
        'AccessDenied',
      );
    }
    server.fault = () => null;
    const error = await failure(storage.write('c', source(3 * PART), { ...options, limit: 2 * PART }));
    expect(error).to.be.instanceOf(FileTooLarge);
    expect(server.objects.has('p/c')).to.equal(false);
    expect(server.uploads.size).to.equal(0);
    expect(requests().filter((line) => line === 'DELETE p/c?uploadId')).to.have.length(3);
  });

  it('gives the reason of an abort in the middle of a part, and leaves nothing', async () => {
    const abort = new AbortController();
    const reason = new Error('client gone');
    server.fault = (line) => {
      if (line === 'PUT p/d?uploadId') abort.abort(reason);
      return null;
    };
    const error = await failure(storage.write('d', source(3 * PART), { ...options, signal: abort.signal }));
    expect(error).to.equal(reason);
    expect(server.uploads.size).to.equal(0);
  });

  it('tries again when a connection is cut', async () => {
    let cuts = 0;
    server.fault = (line) => (line.startsWith('PUT p/e') && cuts++ === 0 ? 'cut' : null);
    await storage.write('e', source(3 * PART), options);
    expect(server.objects.get('p/e')?.body.byteLength).to.equal(3 * PART);
  });

  it('says StorageFull when the server or the quota is full', async () => {
    for (const fault of [
      { status: 507, code: 'XMinioStorageFull' },
      { status: 403, code: 'QuotaExceeded' },
    ]) {
      server.fault = () => fault;
      expect(await failure(storage.write('f', source(10), options))).to.be.instanceOf(StorageFull);
      expect(await failure(storage.check())).to.be.instanceOf(StorageFull);
    }
  });

  it('copies a large object in parts, with its type', async () => {
    const content = randomBytes(7 * PART + 5);
    await storage.write('g', Readable.from([content]), options);
    await storage.copy('g', 'h');
    expect(server.objects.get('p/h')).to.deep.include({ body: content, type: 'video/mp4' });
    expect(server.largestBody).to.be.at.most(PART);
    expect(requests().filter((line) => line === 'PUT p/h?uploadId')).to.have.length(8);
  });

  it('aborts uploads of killed processes after a day, and no younger ones', async () => {
    const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
    const upload = { key: 'p/x', type: '', parts: new Map() };
    server.uploads.set('old', { ...upload, begun: twoDaysAgo });
    server.uploads.set('young', { ...upload, begun: new Date() });
    await storage.check();
    for (let round = 0; round < 100 && server.uploads.size > 1; round += 1) await pause(20);
    expect(Array.from(server.uploads.keys())).to.deep.equal(['young']);
  });

  it('does not take a failure of the server for a missing file', async () => {
    server.fault = () => ({ status: 403, code: 'AccessDenied' });
    expect(await failure(storage.read('a'))).to.have.property('name', 'AccessDenied');
    // An answer to HEAD has no body, so that the SDK knows only the status.
    expect(await failure(storage.stat('a'))).to.be.instanceOf(Error);
    expect(await failure(storage.remove('a'))).to.have.property('name', 'AccessDenied');
    expect(await failure(storage.removeFolder('a'))).to.have.property('name', 'AccessDenied');
  });
});

async function* source(bytes: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < bytes; sent += 10_000) yield Buffer.alloc(Math.min(10_000, bytes - sent), 1);
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
