import { setTimeout as wait } from 'node:timers/promises';
import { startTestHost } from '../kit/index.ts';
import { endProcess, type OtherProcess, startProcess } from './processes.ts';

export interface RacePlan {
  readonly races: number;
  /** Races at a time. */
  readonly atOnce: number;
  /** Workers that are stopped with SIGTERM, and replaced, meanwhile. */
  readonly stops: number;
}

export interface RaceFigures {
  readonly races: number;
  readonly completed: number;
  readonly cancelled: number;
  /** Jobs that ended otherwise, or not. */
  readonly other: number;
  /** Terminal states that were seen and then left. */
  readonly left: number;
  /** Answers to a cancel that what came of the job belies. */
  readonly belied: number;
  /** Jobs whose events do not end with exactly one end, the one that the row tells. */
  readonly wrongEvents: number;
  /** Completed jobs without their effect, and effects that are there twice. */
  readonly wrongEffects: number;
  readonly stops: number;
}

interface Seen {
  readonly status: string;
  readonly completed_at: string | null;
}

const terminal = /^(completed|failed|cancelled)$/;
const endMessages = new Map([
  ['completed', 'Completed.'],
  ['cancelled', 'Cancelled.'],
]);

/** Cancels jobs at the moment in which they finish, while workers are stopped, and looks at how they ended. */
export async function raceCancels(plan: RacePlan): Promise<RaceFigures> {
  const modules = ['test_worker'];
  const lyceum = await startTestHost({
    modules,
    folders: [new URL('../core/packages', import.meta.url).pathname],
    config: { workers: 'off' },
  });
  const workers: OtherProcess[] = [];
  try {
    const { knex } = lyceum.host.db;
    const start = () => startProcess(lyceum, { modules, workers: 'only' });
    workers.push(await start(), await start());
    const sites = await Promise.all(Array.from({ length: 8 }, () => lyceum.make.site()));
    const admin = await lyceum.make.admin();
    const route = 'test/worker/v1';
    let left = 0;
    let belied = 0;
    let begun = 0;
    let typicalMs = 10;

    const race = async (n: number): Promise<void> => {
      const client = lyceum.as(admin, sites[n % sites.length]);
      const body = { type: 'test_worker.quick', steps: 1, pauseMs: n % 3, key: `race${n}` };
      const started = performance.now();
      const { body: job } = await client.post(`${route}/start`, body).expect(202);
      const own = `${route}/jobs/${job.job_id}`;
      const seen: Seen[] = [];
      const ending = (async () => {
        for (;;) {
          const { body: row } = await client.get(`${own}?wait=20`).expect(200);
          if (!terminal.test(row.status)) continue;
          seen.push(row);
          typicalMs = 0.9 * typicalMs + 0.1 * (performance.now() - started);
          return;
        }
      })();
      // Around the moment at which jobs finish now: the request needs its time, too.
      await wait(Math.random() * 0.6 * typicalMs);
      const answer = await client.post(`${own}/cancel`);
      if (terminal.test(answer.body.status)) seen.push(answer.body);
      await ending;
      const { body: last } = await client.get(own).expect(200);
      if (seen.some(({ status, completed_at: at }) => status !== last.status || at !== last.completed_at))
        left += 1;
      const asAnswered = answer.status === 200 ? 'cancelled' : 'completed';
      if (last.status !== asAnswered) belied += 1;
    };
    const racer = async (): Promise<void> => {
      while (begun < plan.races) {
        begun += 1;
        await race(begun);
      }
    };
    let stops = 0;
    const racing = Promise.all(Array.from({ length: plan.atOnce }, racer));
    const stopping = (async () => {
      while (stops < plan.stops && begun < plan.races) {
        const [stopped] = workers.splice(0, 1);
        const next = start();
        if (stopped) await endProcess(stopped, 'SIGTERM');
        workers.push(await next);
        stops += 1;
      }
    })();
    await Promise.all([racing, stopping]);

    const rows = (await knex('jobs').select('job_id', 'status', 'payload')) as {
      job_id: string;
      status: string;
      payload: { key: string };
    }[];
    const events = (await knex('job_events').orderBy('id').select('job_id', 'message')) as {
      job_id: string;
      message: string;
    }[];
    const messages = Map.groupBy(events, ({ job_id }) => job_id);
    const keys = (await knex('test_effects').pluck('key')) as string[];
    const effects = new Set(keys);
    const count = (status: string): number => rows.filter((row) => row.status === status).length;
    const ends = new Set(endMessages.values());
    const [completed, cancelled] = [count('completed'), count('cancelled')];
    return {
      races: rows.length,
      completed,
      cancelled,
      other: rows.length - completed - cancelled,
      left,
      belied,
      wrongEvents: rows.filter(({ job_id, status }) => {
        const told = (messages.get(job_id) ?? []).map(({ message }) => message);
        return told.filter((one) => ends.has(one)).length !== 1 || told.at(-1) !== endMessages.get(status);
      }).length,
      wrongEffects:
        keys.length -
        effects.size +
        rows.filter(({ status, payload }) => status === 'completed' && !effects.has(`${payload.key}-1`))
          .length,
      stops,
    };
  } finally {
    for (const worker of workers) await endProcess(worker, 'SIGTERM');
    await lyceum.stop();
  }
}
