import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startTestHost } from '../kit/index.ts';
import { endProcess, startProcess } from './processes.ts';

export interface KillPlan {
  readonly jobs: number;
  readonly kills: number;
  readonly stepsPerJob: number;
  readonly stepMs: number;
  /** A worker lives at most this long before it is killed, at a random moment of it. */
  readonly longestLifeMs: number;
}

export interface KillFigures {
  readonly completed: number;
  readonly failed: number;
  /** Jobs that have not ended though all had time to. */
  readonly lost: number;
  /** Steps whose effect was written more than once, or never. */
  readonly twice: number;
  readonly missing: number;
  readonly kills: number;
  /** From the kill of the last worker that had a job to the job's running again. */
  readonly longestOrphanMs: number;
}

/** Runs jobs while their worker is killed with SIGKILL at random moments, and counts what came of it. */
export async function killWorkers(plan: KillPlan): Promise<KillFigures> {
  const packages = path.resolve(import.meta.dirname, '../core/packages');
  const lyceum = await startTestHost({
    modules: ['test_worker'],
    folders: [packages],
    config: { workers: 'off' },
  });
  try {
    const sites = await Promise.all(Array.from({ length: 8 }, () => lyceum.make.site()));
    const admin = await lyceum.make.admin();
    let asked = 0;
    const enqueueTo = async (count: number): Promise<void> => {
      for (; asked < Math.min(count, plan.jobs); asked += 1) {
        const pace = { steps: plan.stepsPerJob, pauseMs: plan.stepMs };
        await lyceum
          .as(admin, sites[asked % sites.length])
          .post('test/worker/v1/start', { type: 'test_worker.count', ...pace, key: `job${asked}` })
          .expect(202);
      }
    };
    const knex = lyceum.host.db.knex;
    const open = async (): Promise<number> =>
      Number((await knex('jobs').whereNull('completed_at').count({ n: '*' }).first())?.n);
    const startWorker = () => startProcess(lyceum, { modules: ['test_worker'], workers: 'only' });
    let kills = 0;
    let longestOrphanMs = 0;
    while (kills < plan.kills) {
      // A few for each life: of a crowd, the same ones would be hit five times, which fails a job.
      await enqueueTo(Math.ceil((plan.jobs * (kills + 1)) / plan.kills));
      const child = await startWorker();
      await wait(Math.random() * plan.longestLifeMs);
      await endProcess(child, 'SIGKILL');
      kills += 1;
    }
    const killedAt = performance.now();
    const orphans = (await knex('jobs').where('status', 'running').select('job_id', 'losses')) as {
      job_id: string;
      losses: number;
    }[];
    const last = await startWorker();
    for (const orphan of orphans) {
      const again = async () =>
        await knex('jobs')
          .where('job_id', orphan.job_id)
          .where((or) => or.where('losses', '>', orphan.losses).orWhereNotNull('completed_at'))
          .first();
      while (!(await again())) await wait(50);
      longestOrphanMs = Math.max(longestOrphanMs, performance.now() - killedAt);
    }
    const deadline = performance.now() + 300_000;
    while ((await open()) > 0 && performance.now() < deadline) await wait(100);
    await endProcess(last, 'SIGTERM');

    const count = async (status: string): Promise<number> =>
      Number((await knex('jobs').where({ status }).count({ n: '*' }).first())?.n);
    const keys = (await knex('test_effects').pluck('key')) as string[];
    const distinct = new Set(keys);
    const completed = await count('completed');
    return {
      completed,
      failed: await count('failed'),
      lost: await open(),
      twice: keys.length - distinct.size,
      missing: completed * plan.stepsPerJob - distinct.size,
      kills,
      longestOrphanMs: Math.round(longestOrphanMs),
    };
  } finally {
    await lyceum.stop();
  }
}
