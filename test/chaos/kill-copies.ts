import { setTimeout as wait } from 'node:timers/promises';
import { Storage } from '../../core/files/storage.ts';
import { startTestHost } from '../kit/index.ts';
import { fillSite } from './fill-site.ts';
import { endProcess, startProcess } from './processes.ts';

export interface CopyKillPlan {
  readonly posts: number;
  readonly files: number;
  /** Kills of the worker, at most 4: the fifth lost worker fails a job. */
  readonly kills: number;
}

interface Progress {
  readonly phase: string;
  readonly current: number;
}

/** When the worker is killed, one time after the other. */
const moments = ({ posts, files }: CopyKillPlan): ((seen: Progress) => boolean)[] => [
  ({ current }) => current >= posts / 2,
  ({ current }) => current >= posts + files / 2,
  ({ phase }) => phase === 'rewrite',
  ({ phase }) => phase === 'rewrite' || phase === 'check',
];

export interface CopyKillFigures {
  readonly status: string;
  readonly posts: number;
  readonly files: number;
  /** Slugs of the copy that the source does not have. */
  readonly strangeSlugs: number;
  /** Files of the copy that no row names. */
  readonly orphans: number;
  /** Rows of the map of the copy that are left. */
  readonly map: number;
  readonly kills: number;
  readonly phases: readonly string[];
}

/** Copies a site while its worker is killed with SIGKILL, and looks at what came of it. */
export async function killCopies(plan: CopyKillPlan): Promise<CopyKillFigures> {
  const modules = ['site_duplicator'];
  const lyceum = await startTestHost({ modules, config: { workers: 'off' } });
  try {
    const { knex } = lyceum.host.db;
    const source = await lyceum.make.site('source');
    await fillSite(lyceum, source.blog_id, plan);
    const admin = lyceum.as(await lyceum.make.admin());
    const begun = await admin
      .post(`svc/site-duplicator/v1/sites/${source.blog_id}/duplicate`, { slug: 'copy' })
      .expect(202);
    const jobId = begun.body.job_id as string;
    const target = Number(begun.body.payload.target_blog_id);
    const job = () => knex('jobs').where({ job_id: jobId }).first();
    const startWorker = () => startProcess(lyceum, { modules, workers: 'only' });
    let kills = 0;
    const phases: string[] = [];
    for (const isDue of moments(plan).slice(0, plan.kills)) {
      const child = await startWorker();
      for (;;) {
        const row = await job();
        if (row.completed_at !== null || (row.status === 'running' && row.losses === kills && isDue(row)))
          break;
        await wait(2);
      }
      await endProcess(child, 'SIGKILL');
      phases.push((await job()).phase);
      kills += 1;
    }
    const last = await startWorker();
    const deadline = performance.now() + 120_000;
    while ((await job()).completed_at === null && performance.now() < deadline) await wait(50);
    await endProcess(last, 'SIGTERM');

    const slugs = new Set(await knex('posts').where({ blog_id: source.blog_id }).pluck('slug'));
    const copied = (await knex('posts').where({ blog_id: target }).select('slug', 'type')) as {
      slug: string;
      type: string;
    }[];
    const named = new Set(await knex('attachments').where({ blog_id: target }).pluck('file_key'));
    let orphans = 0;
    for await (const { key } of lyceum.host.services.host(Storage).list(`sites/${target}`)) {
      if (!named.has(key)) orphans += 1;
    }
    return {
      status: (await job()).status,
      posts: copied.filter(({ type }) => type !== 'attachment').length,
      files: named.size,
      strangeSlugs: copied.filter(({ slug }) => !slugs.has(slug)).length,
      orphans,
      map: Number((await knex('site_copy_map').count({ n: '*' }).first())?.n),
      kills,
      phases,
    };
  } finally {
    await lyceum.stop();
  }
}
