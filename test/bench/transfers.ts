import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { endProcess, startProcess } from '../chaos/processes.ts';
import { startTestHost } from '../kit/index.ts';
import { stopTestPostgres } from '../kit/postgres.ts';
import { contender, loadAverage, median, memoryOf } from './measure.ts';

/**
 * One large sound file sent to the host as an attachment and fetched from it, beside bare streams of `node:http`:
 * MiB per second, their ratio, and the most memory that the host's process ever had.
 * `node test/bench/transfers.ts [MiB] [rounds]`
 */
registerResolveHooks();

const mebi = 1024 * 1024;
const [size = 2048, rounds = 3] = process.argv.slice(2).map(Number);
const bytes = size * mebi;
const noise = Buffer.alloc(mebi, 'Lyceum');

/** The header of a WAV file that is as long as it says: the host looks at what it is given. */
function wavHeader(): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(bytes - 8, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(48_000, 24);
  header.writeUInt32LE(192_000, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes - 44, 40);
  return header;
}

function* content(): Iterable<Buffer> {
  yield wavHeader();
  yield noise.subarray(44);
  for (let sent = mebi; sent < bytes; sent += mebi) yield noise;
}

const opening = Buffer.from(
  '--border\r\nContent-Disposition: form-data; name="file"; filename="long.wav"\r\nContent-Type: audio/wav\r\n\r\n',
);
const closing = Buffer.from('\r\n--border--\r\n');

/** Seconds from the first byte to the answer, and the answer. */
async function send(url: string, form: boolean, headers: object): Promise<[seconds: number, text: string]> {
  const began = performance.now();
  const length = form ? opening.length + bytes + closing.length : bytes;
  const type = form ? 'multipart/form-data; boundary=border' : 'audio/wav';
  const asked = request(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': type, 'Content-Length': length },
  });
  const answered = once(asked, 'response');
  const parts = function* (): Iterable<Buffer> {
    if (form) yield opening;
    yield* content();
    if (form) yield closing;
  };
  await pipeline(Readable.from(parts()), asked);
  const [answer] = await answered;
  const text = (await answer.setEncoding('utf8').toArray()).join('');
  if (answer.statusCode !== 201) throw new Error(`${url}: ${answer.statusCode} ${text}`);
  return [(performance.now() - began) / 1000, text];
}

/** Seconds that it takes to get all bytes. */
async function fetchAll(url: string): Promise<number> {
  const began = performance.now();
  const [answer] = await once(get(url), 'response');
  let got = 0;
  for await (const chunk of answer) got += chunk.length;
  if (answer.statusCode !== 200 || got !== bytes)
    throw new Error(`${url}: ${answer.statusCode}, ${got} bytes.`);
  return (performance.now() - began) / 1000;
}

const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-bench-'));
const lyceum = await startTestHost({ modules: [] });
await lyceum.make.settings('host', { max_upload_bytes: bytes, upload_filetypes: ['wav'] });
await lyceum.make.settings('host', { site_quota_bytes: bytes * (rounds + 1) });
const { headers } = await lyceum.make.admin();
const host = await startProcess(lyceum, { modules: [], workers: 'off' });
const bare = await contender('bare', 'bare-files.ts', { DATA_DIR: folder });
const pid = host.child.pid ?? 0;
const before = await memoryOf(pid, 'VmRSS');
const seconds = { up: { host: [0], bare: [0] }, down: { host: [0], bare: [0] } };
for (let round = 0; round < rounds; round += 1) {
  const [hostUp, text] = await send(`${host.origin}/api/svc/host/v1/media`, true, headers);
  const { id, url } = JSON.parse(text) as { id: number; url: string };
  const [bareUp] = await send(bare.origin, false, {});
  seconds.up.host[round] = hostUp;
  seconds.up.bare[round] = bareUp;
  seconds.down.host[round] = await fetchAll(`${host.origin}${new URL(url).pathname}`);
  seconds.down.bare[round] = await fetchAll(bare.origin);
  await lyceum.as({ headers }).delete(`svc/host/v1/media/${id}?force=true`);
}
const most = await memoryOf(pid, 'VmHWM');
for (const [way, { host: ours, bare: theirs }] of Object.entries(seconds)) {
  const [mine, other] = [median(ours), median(theirs)];
  const figures = `host ${(size / mine).toFixed(0)} MiB/s, bare ${(size / other).toFixed(0)} MiB/s`;
  process.stdout.write(`${way.padEnd(5)} ${size} MiB: ${figures}, ratio ${(other / mine).toFixed(2)}\n`);
}
process.stdout.write(
  `rss ${Math.round(before / mebi)} → at most ${Math.round(most / mebi)} MiB, ${loadAverage()}\n`,
);
await endProcess(host, 'SIGTERM');
bare.child.kill();
await lyceum.stop();
await stopTestPostgres();
await rm(folder, { recursive: true, force: true });
process.exit(0);
