import { setTimeout as wait } from 'node:timers/promises';
import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { fillSite } from '../chaos/fill-site.ts';
import { endProcess, startProcess } from '../chaos/processes.ts';
import { startTestHost } from '../kit/index.ts';
import { stopTestPostgres } from '../kit/postgres.ts';
import { memoryOf } from './measure.ts';

/**
 * Copies of sites of different sizes, each by a worker process of its own: rows per second, and the most memory that
 * the process ever had, which must not grow with the size. Sizes are `posts:files`, for example
 * `node test/bench/copy.ts 500:50 50000:1000`.
 */
registerResolveHooks();

const mebi = 1024 * 1024;
const given = process.argv.slice(2);
const sizes = (given.length > 0 ? given : ['500:50', '10000:1000', '50000:50']).map((text) => {
  const [posts = 0, files = 0] = text.split(':').map(Number);
  return { posts, files };
});

async function measure(size: { readonly posts: number; readonly files: number }): Promise<string> {
  const lyceum = await startTestHost({ modules: ['site_duplicator'], config: { workers: 'off' } });
  try {
    const { knex } = lyceum.host.db;
    const source = await lyceum.make.site('source');
    await fillSite(lyceum, source.blog_id, size);
    const worker = await startProcess(lyceum, { modules: ['site_duplicator'], workers: 'only' });
    const pid = worker.child.pid ?? 0;
    const before = await memoryOf(pid, 'VmRSS');
    const admin = lyceum.as(await lyceum.make.admin());
    const started = performance.now();
    const begun = await admin
      .post(`svc/site-duplicator/v1/sites/${source.blog_id}/duplicate`, { slug: 'copy' })
      .expect(202);
    const answered = performance.now() - started;
    const job = () =>
      knex('jobs').where({ job_id: begun.body.job_id }).first('status', 'completed_at', 'result');
    for (let row = await job(); row.completed_at === null; row = await job()) await wait(20);
    const seconds = (performance.now() - started) / 1000;
    const most = await memoryOf(pid, 'VmHWM');
    const { status, result } = await job();
    await endProcess(worker, 'SIGTERM');
    const rows = size.posts + size.files;
    return [
      `${size.posts} posts, ${size.files} files: ${status}, ${result?.replaced_urls} URLs`.padEnd(56),
      `answer ${answered.toFixed(0)} ms`,
      `${seconds.toFixed(1)} s`,
      `${Math.round(rows / seconds)} rows/s`,
      `rss ${Math.round(before / mebi)} → at most ${Math.round(most / mebi)} MiB`,
    ].join('  ');
  } finally {
    await lyceum.stop();
  }
}

for (const size of sizes) process.stdout.write(`${await measure(size)}\n`);
await stopTestPostgres();
process.exit(0);
