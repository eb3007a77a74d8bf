import { Agent, request } from 'node:http';
import { startTestHost } from '../kit/index.ts';
import { endProcess, startProcess } from './processes.ts';

export interface ServerStopPlan {
  readonly stops: number;
  /** Clients that make one request after the other on a kept connection. */
  readonly clients: number;
  /** Clients that wait for a change of a job. */
  readonly longPolls: number;
  /** Milliseconds of load before each stop. */
  readonly loadMs: number;
}

export interface ServerStopFigures {
  readonly stops: number;
  readonly requests: number;
  /** Requests that were sent on a connection that the server took, and not answered with a success. */
  readonly failed: number;
  readonly longPolls: number;
  /** Long-polls that were not answered with their job. */
  readonly failedPolls: number;
  readonly longestExitMs: number;
  readonly badExits: number;
  /** Jobs that were answered and are not there. */
  readonly lostJobs: number;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly last: boolean;
}

interface Question {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** `refused` when no connection was made: then nothing was in flight. */
function ask({ method, url, headers, body }: Question, agent: Agent): Promise<Answer | 'refused' | 'cut'> {
  return new Promise((resolve) => {
    const asked = request(url, {
      method,
      agent,
      headers: { ...headers, 'Content-Type': 'application/json' },
    });
    asked.once('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', () => resolve('cut'));
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          last: answer.headers.connection === 'close',
        }),
      );
    });
    asked.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'cut'),
    );
    asked.end(body ?? undefined);
  });
}

/** Stops a server with SIGTERM under load and with clients that wait, and counts what they were answered. */
export async function stopServers(plan: ServerStopPlan): Promise<ServerStopFigures> {
  const modules = ['test_worker'];
  const lyceum = await startTestHost({
    modules,
    folders: [new URL('../core/packages', import.meta.url).pathname],
    config: { workers: 'off' },
  });
  try {
    const { headers } = await lyceum.make.admin();
    const figures = { requests: 0, failed: 0, longPolls: 0, failedPolls: 0, badExits: 0, longestExitMs: 0 };
    const answered: string[] = [];
    for (let stop = 0; stop < plan.stops; stop += 1) {
      const server = await startProcess(lyceum, { modules, workers: 'inline' });
      const api = `${server.origin}/api`;
      const begin = (steps: number, pauseMs: number, key: string): Question => ({
        method: 'POST',
        url: `${api}/test/worker/v1/start`,
        headers,
        body: JSON.stringify({ type: 'test_worker.count', steps, pauseMs, key }),
      });
      const own = new Agent({ keepAlive: false });
      // A step that takes a minute: nobody who waits is answered before the stop.
      const slow = await ask(begin(2, 60_000, `slow${stop}`), own);
      if (typeof slow === 'string') throw new Error('The first request was not answered.');
      const jobId = JSON.parse(slow.body).job_id as string;
      const job = (wait: number): Question => ({
        method: 'GET',
        url: `${api}/test/worker/v1/jobs/${jobId}?wait=${wait}`,
        headers,
        body: null,
      });
      for (;;) {
        const now = await ask(job(1), own);
        if (typeof now !== 'string' && JSON.parse(now.body).status === 'running') break;
      }
      const polls = Promise.all(
        Array.from({ length: plan.longPolls }, async () => {
          const answer = await ask(job(30), own);
          figures.longPolls += 1;
          if (typeof answer === 'string' || answer.status !== 200) figures.failedPolls += 1;
          else if (JSON.parse(answer.body).job_id !== jobId) figures.failedPolls += 1;
        }),
      );
      let stopping = false;
      const client = async (n: number): Promise<void> => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        for (let count = 0; ; count += 1) {
          const writes = (n + count) % 4 === 0;
          const question = writes
            ? begin(1, 0, `load${stop}-${n}-${count}`)
            : { method: 'GET' as const, url: `${api}/svc/host/v1/posts`, headers, body: null };
          const answer = await ask(question, agent);
          if (answer === 'refused') break;
          figures.requests += 1;
          if (answer === 'cut' || answer.status >= 300) {
            figures.failed += 1;
            break;
          }
          if (writes) answered.push(JSON.parse(answer.body).job_id as string);
          if (answer.last && stopping) break;
        }
        agent.destroy();
      };
      const clients = Promise.all(Array.from({ length: plan.clients }, (_, n) => client(n)));
      await new Promise((resolve) => setTimeout(resolve, plan.loadMs));
      stopping = true;
      const end = await endProcess(server, 'SIGTERM');
      await Promise.all([clients, polls]);
      // It would keep the site's place from the next one.
      await lyceum.as({ headers }).post(`test/worker/v1/jobs/${jobId}/cancel`).expect(200);
      if (end.code !== 0) figures.badExits += 1;
      figures.longestExitMs = Math.max(figures.longestExitMs, end.ms);
    }
    const { knex } = lyceum.host.db;
    const there = new Set((await knex('jobs').pluck('job_id')) as string[]);
    return { stops: plan.stops, ...figures, lostJobs: answered.filter((id) => !there.has(id)).length };
  } finally {
    await lyceum.stop();
  }
}
