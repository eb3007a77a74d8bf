import { once } from 'node:events';
import { get, request as httpRequest, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startTestHost, type TestHost, type TestUser, wavHead } from '@lyceum/core/testing';
import { expect } from 'chai';
import { mediaRoute, unfinished } from './media-kit.ts';

const mebi = 1024 * 1024;
const fileBytes = 200 * mebi;

/** What may be in use at once, and what the process may take from the system; the test's own client is in both. */
const allowedBuffers = 8 * mebi;
const allowedProcess = 128 * mebi;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Watches the memory of this process from now on. */
class MemoryWatch {
  readonly #start: NodeJS.MemoryUsage;
  #next = 16 * mebi;
  buffers = 0;
  rss = 0;

  constructor() {
    collectGarbage();
    this.#start = process.memoryUsage();
  }

  /** To be called with every piece; each 16 MiB it counts what is really in use. */
  async look(bytesSoFar: number): Promise<void> {
    this.rss = Math.max(this.rss, process.memoryUsage.rss() - this.#start.rss);
    if (bytesSoFar < this.#next) return;
    this.#next += 16 * mebi;
    collectGarbage();
    // What was collected is given back beside the program.
    await nextTurn();
    collectGarbage();
    this.buffers = Math.max(this.buffers, process.memoryUsage().arrayBuffers - this.#start.arrayBuffers);
  }

  expectFlat(what: string): void {
    expect(this.#next, what).to.be.above(fileBytes);
    expect(this.buffers, `buffers ${what}`).to.be.below(allowedBuffers);
    expect(this.rss, `rss ${what}`).to.be.below(allowedProcess);
  }
}

describe('host: media of 200 MiB', () => {
  let lyceum: TestHost;
  let user: TestUser;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    user = await lyceum.make.user({ role: 'author' });
  });
  after(() => lyceum.stop());

  /** Sends the file piece by piece, as fast as it is taken. */
  async function upload(
    bytes: number,
    watch: MemoryWatch,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const request = httpRequest(`${lyceum.origin}/api/${mediaRoute}`, {
      method: 'POST',
      headers: { ...user.headers, 'Content-Type': 'multipart/form-data; boundary=B' },
    });
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    const piece = Buffer.alloc(mebi, 128);
    request.write('--B\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n');
    request.write(wavHead(bytes));
    for (let sent = 0; sent < bytes; sent += piece.length) {
      if (!request.write(piece)) await once(request, 'drain');
      await watch.look(sent);
    }
    request.end('\r\n--B--\r\n');
    const [response] = await answered;
    const pieces = (await response.toArray()) as Buffer[];
    await watch.look(bytes);
    return { status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(pieces).toString()) };
  }

  it('come and go through memory that does not grow with them', async function () {
    this.timeout(120_000);
    // Everything that is loaded or compiled on first use is in memory after this.
    expect((await upload(8 * mebi, new MemoryWatch())).status).to.equal(201);

    const coming = new MemoryWatch();
    const { status, body } = await upload(fileBytes, coming);
    expect([status, body.bytes, body.duration]).to.deep.equal([201, fileBytes + 44, fileBytes / 8_000]);
    expect(await unfinished(lyceum)).to.deep.equal([]);
    coming.expectFlat('of an upload');

    let received = 0;
    const going = new MemoryWatch();
    const [answer] = (await once(
      get(`${lyceum.origin}${new URL(String(body.url)).pathname}`),
      'response',
    )) as [IncomingMessage];
    for await (const piece of answer as AsyncIterable<Buffer>) {
      received += piece.length;
      await going.look(received);
    }
    expect(received).to.equal(fileBytes + 44);
    going.expectFlat('of a download');
  });
});
