import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type HostProcess, killWorker, startServer } from '@lyceum/core/testing';
import { expect } from 'chai';
import { ZipFile } from 'yazl';
import { PackageKit, space } from './package-kit.ts';

const mebi = 1024 * 1024;
const fileBytes = 200 * mebi;
/** Of a process that serves and does nothing else. */
const allowed = 100 * mebi;
const pageBytes = 4096;
/** Each costs a few milliseconds of a disk that makes it last; 10,000 are taken as well. */
const many = 2_000;

/** Bytes that hardly pack. */
async function* noise(bytes: number): AsyncGenerator<Buffer> {
  const piece = Buffer.alloc(mebi);
  let state = 1;
  for (let sent = 0; sent < bytes; sent += piece.length) {
    for (let at = 0; at < piece.length; at += 4) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      piece.writeUInt32LE(state, at);
    }
    yield Buffer.from(piece);
  }
}

describe('embed_packages: large packages', function () {
  this.timeout(180_000);
  let kit: PackageKit;
  let folder: string;
  let server: HostProcess;
  before(async () => {
    kit = await PackageKit.start();
    server = await startServer(kit.lyceum, ['embed_packages']);
    folder = await mkdtemp(path.join(tmpdir(), 'lyceum-large-'));
  });
  after(async () => {
    await killWorker(server.child);
    await kit.lyceum.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** What the process has in memory, as Linux counts it. */
  async function memory(): Promise<number> {
    const [, resident] = (await readFile(`/proc/${server.child.pid}/statm`, 'utf8')).split(' ');
    return Number(resident) * pageBytes;
  }

  /** Sends an archive that lies on disk, and answers what became of it and by how much the process grew. */
  async function send(fill: (zip: ZipFile) => void) {
    const name = path.join(folder, 'large.zip');
    const zip = new ZipFile();
    const written = pipeline(zip.outputStream, createWriteStream(name));
    fill(zip);
    zip.end();
    await written;
    const before = await memory();
    let peak = before;
    const look = async (): Promise<void> => {
      peak = Math.max(peak, await memory());
    };
    const timer = setInterval(() => void look(), 20);
    const file = await open(name);
    const head = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n';
    const source = file.createReadStream();
    const body = (async function* () {
      yield Buffer.from(head);
      yield* source as AsyncIterable<Buffer>;
      yield Buffer.from('\r\n--B--\r\n');
    })();
    const answer = await fetch(`${server.origin}/api/${space}/packages`, {
      method: 'POST',
      headers: { ...kit.identity.headers, 'Content-Type': 'multipart/form-data; boundary=B' },
      body: ReadableStream.from(body),
      duplex: 'half',
    } as RequestInit);
    const record = (await answer.json()) as Record<string, unknown>;
    clearInterval(timer);
    if (!source.closed) await once(source, 'close');
    return { status: answer.status, record, grown: peak - before };
  }

  it('of one file of 200 MiB go through memory that does not grow with it', async () => {
    await send((zip) => zip.addBuffer(Buffer.from('x'), 'index.html'));
    const { status, record, grown } = await send((zip) => {
      zip.addBuffer(Buffer.from('x'), 'index.html');
      zip.addReadStream(Readable.from(noise(fileBytes)), 'film.mp4', { compress: false });
    });
    expect([status, record.bytes]).to.deep.equal([201, fileBytes + 1]);
    expect(grown).to.be.below(allowed);
  });

  it('of thousands of files are taken whole', async () => {
    const { status, record, grown } = await send((zip) => {
      zip.addBuffer(Buffer.from('<title>Start</title>'), 'index.html');
      for (let at = 1; at < many; at += 1)
        zip.addBuffer(Buffer.from(`<p>${at}`), `deep/${at % 100}/${at}.html`);
    });
    expect([status, record.files, (record.pages as unknown[]).length]).to.deep.equal([201, many, many]);
    expect(grown).to.be.below(allowed);
    expect((await kit.ask(`${String(record.files_url)}deep/99/${many - 1}.html`)).text).to.equal(
      `<p>${many - 1}`,
    );
  });
});
