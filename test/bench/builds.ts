import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { Storage } from '../../core/files/storage.ts';
import { endProcess, type OtherProcess, startProcess } from '../chaos/processes.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';
import { stopTestPostgres } from '../kit/postgres.ts';
import { memoryOf } from './measure.ts';

/**
 * Builds of courses of different sizes, each by a worker process of its own: first all of it, then again after one page
 * was changed, and the most memory that the process ever had, which must not grow with the size. Sizes are
 * `pages:files:megabytes of all files`, for example `node test/bench/builds.ts 500:100:50 2000:20:2000`.
 */
registerResolveHooks();

const mebi = 1024 * 1024;
const given = process.argv.slice(2);
const sizes = (given.length > 0 ? given : ['500:100:50', '2000:100:50', '2000:20:1000']).map((text) => {
  const [pages = 0, files = 0, megabytes = 0] = text.split(':').map(Number);
  return { pages, files, megabytes };
});
type Size = (typeof sizes)[number];

async function* filling(seed: number, bytes: number): AsyncIterable<Uint8Array> {
  const chunk = Buffer.alloc(mebi, createHash('sha512').update(String(seed)).digest());
  for (let left = bytes; left > 0; left -= chunk.length)
    yield chunk.subarray(0, Math.min(left, chunk.length));
}

/** Pages of some 10 kB, each with a picture and a link to the next. */
async function fill({ host }: TestHost, { pages, files, megabytes }: Size): Promise<number[]> {
  const { knex } = host.db;
  const storage = host.services.host(Storage);
  for (let n = 0; n < files; n += 1) {
    const key = `sites/1/media/${n.toString(16).padStart(32, '0')}/picture.png`;
    const source = Readable.from(filling(n, Math.floor((megabytes * mebi) / files)));
    const { bytes, sha256 } = await storage.write(key, source, { limit: 2 ** 40, contentType: 'image/png' });
    const words = {
      blog_id: 1,
      type: 'attachment',
      status: 'publish',
      title: `File ${n}`,
      slug: `file-${n}`,
    };
    const [row] = (await knex('posts')
      .insert({ ...words, author_id: 1, lang: 'en', hash: '', search: '' })
      .returning('id')) as { id: number }[];
    const file = {
      mime_type: 'image/png',
      filename: 'picture.png',
      file_key: key,
      path: `media/${n}/picture.png`,
    };
    await knex('attachments').insert({ post_id: row?.id, blog_id: 1, ...file, bytes, sha256 });
  }
  const { rows } = (await knex.raw(
    `insert into posts (blog_id, type, status, title, slug, content, author_id, lang, hash, search)
     select 1, 'page', 'publish', 'Page ' || n, 'page-' || n,
       '<h2>Page ' || n || '</h2><p><img src="/files/media/' || n % :files || '/picture.png">'
         || repeat('<p>A paragraph of a page with <b>some</b> words in it and <a href="/page-' || n + 1 || '/">a link</a>.</p>', 100),
       1, 'en', n::text, ''
     from generate_series(1, :pages) n returning id`,
    { pages, files },
  )) as { rows: { id: number }[] };
  return rows.map(({ id }) => id);
}

async function run(lyceum: TestHost, id: number): Promise<number> {
  const admin = lyceum.as(await lyceum.make.admin());
  const began = performance.now();
  await admin.post(`svclms/static-builder/v1/builds/${id}/run`).expect(202);
  const row = () => lyceum.host.db.knex('static_builds').where({ id }).first('status');
  for (let { status } = await row(); status !== 'completed'; { status } = await row()) {
    if (status === 'error') throw new Error('The build failed.');
    await wait(10);
  }
  return (performance.now() - began) / 1000;
}

async function measure(size: Size): Promise<string> {
  const lyceum = await startTestHost({ modules: ['static_builder'], config: { workers: 'off' } });
  let worker: OtherProcess | null = null;
  try {
    const page_ids = await fill(lyceum, size);
    const admin = lyceum.as(await lyceum.make.admin());
    const made = await admin
      .post('svclms/static-builder/v1/builds', { page_ids, api_type: 'scorm12' })
      .expect(201);
    const { id } = made.body as { id: number };
    worker = await startProcess(lyceum, { modules: ['static_builder'], workers: 'only' });
    const pid = worker.child.pid ?? 0;
    const before = await memoryOf(pid, 'VmRSS');
    const full = await run(lyceum, id);
    await lyceum.host.db
      .knex('posts')
      .where({ id: page_ids[0] })
      .update({ content: '<p>New</p>', hash: 'new' });
    const again = await run(lyceum, id);
    const most = await memoryOf(pid, 'VmHWM');
    return [
      `${size.pages} pages, ${size.files} files, ${size.megabytes} MiB`.padEnd(36),
      `full ${full.toFixed(2)} s, one page changed ${again.toFixed(2)} s (${(again / full).toFixed(3)})`,
      `rss ${Math.round(before / mebi)} → at most ${Math.round(most / mebi)} MiB`,
    ].join('  ');
  } finally {
    if (worker) await endProcess(worker, 'SIGTERM');
    await lyceum.stop();
  }
}

for (const size of sizes) process.stdout.write(`${await measure(size)}\n`);
await stopTestPostgres();
process.exit(0);
