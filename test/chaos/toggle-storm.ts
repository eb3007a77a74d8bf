import { setTimeout as wait } from 'node:timers/promises';
import { startTestHost, type TestHost } from '../kit/index.ts';
import { endProcess, type OtherProcess, startProcess } from './processes.ts';

export interface StormPlan {
  readonly toggles: number;
  /** How often one of the processes is killed with SIGKILL and started again. */
  readonly kills: number;
  /** Requests that each process has in flight all the time. */
  readonly parallel: number;
  /** How long, on average, nothing is switched. */
  readonly stayMs: number;
}

export interface StormFigures {
  readonly toggles: number;
  readonly kills: number;
  readonly answers: number;
  /** Answers that were neither wholly the old nor wholly the new. */
  readonly odd: number;
  /** Old answers to requests that began after the toggle had been answered, in whichever process. */
  readonly late: number;
  /** From a toggle's answer to the beginning of the last request that was answered as before. */
  readonly longestLateMs: number;
  /** Jobs that worked while their module was off, and how long after that toggle's answer: those may have begun before. */
  readonly jobsWhileOff: number;
  readonly longestJobMs: number;
  readonly jobs: number;
  /** Jobs that have not completed though their module is on again. */
  readonly jobsLeft: number;
  readonly toggleMs: { readonly p50: number; readonly p99: number };
}

/** One answer, by the clock of the machine: the database's, and that of every process. */
interface Answer {
  readonly from: number;
  readonly to: number;
  /** null: neither on nor off. */
  readonly on: boolean | null;
}

/** A time in which the module was surely on, or surely off. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly on: boolean;
}

const module = 'test_worker';
const clock = (): number => performance.timeOrigin + performance.now();

const at = (sorted: readonly number[], share: number): number =>
  Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));

/** Two processes that serve and work, and what the clients of both see. */
class Storm {
  readonly #lyceum: TestHost;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #processes: OtherProcess[] = [];
  readonly answers: Answer[] = [];
  readonly spans: Span[] = [];
  readonly toggleMs: number[] = [];
  #ended = false;

  constructor(lyceum: TestHost, headers: Readonly<Record<string, string>>) {
    this.#lyceum = lyceum;
    this.#headers = { ...headers, 'Content-Type': 'application/json' };
  }

  async begin(): Promise<void> {
    for (const _each of ['a', 'b']) this.#processes.push(await this.#start());
  }

  #start(): Promise<OtherProcess> {
    return startProcess(this.#lyceum, { modules: [module], workers: 'inline' });
  }

  #ask(process: OtherProcess, method: string, route: string, body?: object): Promise<Response> {
    const wish = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(`${process.origin}/api/${route}`, { method, headers: this.#headers, ...wish });
  }

  /** Asks one process again and again until the storm is over. One that was killed gives no answer to judge. */
  async load(number: number): Promise<void> {
    for (let count = 0; !this.#ended; count += 1) {
      const from = clock();
      // Every tenth makes a job, if the module is on.
      const answer = await (count % 10 === 0
        ? this.#ask(this.#of(number), 'POST', 'test/worker/v1/start', {
            ...{ type: 'test_worker.quick', steps: 1, pauseMs: 0, key: `storm-${number}-${count}` },
          })
        : this.#ask(this.#of(number), 'GET', 'test/worker/v1/jobs?per_page=1')
      ).catch(() => null);
      if (!answer) {
        await wait(5);
        continue;
      }
      const body = (await answer.json().catch(() => null)) as { code?: string } | null;
      const isOff = answer.status === 404 && body?.code === 'rest_no_route';
      const isOn = answer.status === 200 || answer.status === 202;
      this.answers.push({ from, to: clock(), on: isOn ? true : isOff ? false : null });
    }
  }

  #of(number: number): OtherProcess {
    const process = this.#processes[number % this.#processes.length];
    if (!process) throw new Error('There is no process to ask.');
    return process;
  }

  /** Switches by one of the processes; a wish that died with it may have been heard or not. */
  async toggle(number: number, on: boolean): Promise<boolean> {
    const began = clock();
    const answer = await this.#ask(this.#of(number), 'PUT', `svc/modules/v1/modules/${module}`, {
      enabled: on,
    }).catch(() => null);
    if (answer?.status !== 200) return false;
    await answer.arrayBuffer();
    this.toggleMs.push(clock() - began);
    return true;
  }

  /** Lets the module be as it is for a moment, in which everybody must see the same. */
  async stay(on: boolean, milliseconds: number): Promise<void> {
    const from = clock();
    await wait(milliseconds);
    this.spans.push({ from, to: clock(), on });
  }

  async kill(number: number): Promise<void> {
    const place = number % this.#processes.length;
    await endProcess(this.#of(number), 'SIGKILL');
    this.#processes[place] = await this.#start();
  }

  async end(loads: readonly Promise<void>[]): Promise<void> {
    this.#ended = true;
    await Promise.all(loads);
  }

  async stop(): Promise<void> {
    for (const process of this.#processes) await endProcess(process, 'SIGTERM');
  }
}

/** Waits until the jobs of the storm have ended; how many have not after two minutes. */
async function openJobs({ host }: TestHost): Promise<number> {
  const open = async () =>
    Number((await host.db.knex('jobs').whereNot('status', 'completed').count({ n: '*' }).first())?.n);
  const deadline = clock() + 120_000;
  while ((await open()) > 0 && clock() < deadline) await wait(100);
  return open();
}

function judge(storm: Storm): Pick<StormFigures, 'answers' | 'odd' | 'late' | 'longestLateMs'> {
  const { answers, spans } = storm;
  let late = 0;
  let longestLateMs = 0;
  for (const { from, to, on } of spans) {
    for (const answer of answers) {
      if (answer.on === on || answer.on === null || answer.from < from || answer.to > to) continue;
      late += 1;
      longestLateMs = Math.max(longestLateMs, answer.from - from);
    }
  }
  const odd = answers.filter((answer) => answer.on === null).length;
  return { answers: answers.length, odd, late, longestLateMs: Number(longestLateMs.toFixed(1)) };
}

async function judgeJobs(
  { host }: TestHost,
  spans: readonly Span[],
): Promise<Pick<StormFigures, 'jobsWhileOff' | 'longestJobMs'>> {
  const effects = (await host.db.knex('test_effects').pluck('at')) as string[];
  const late = effects.flatMap((effect) => {
    const time = Date.parse(effect);
    // The database's times have whole milliseconds.
    const off = spans.find(({ on, from, to }) => !on && time > from && time + 1 < to);
    return off ? [time - off.from] : [];
  });
  return { jobsWhileOff: late.length, longestJobMs: Number(Math.max(0, ...late).toFixed(1)) };
}

/** Switches a module on and off while clients of two processes use it and its jobs run, and tells what they saw. */
export async function toggleStorm(plan: StormPlan): Promise<StormFigures> {
  const lyceum = await startTestHost({ config: { workers: 'off' } });
  const { headers } = await lyceum.make.admin();
  const storm = new Storm(lyceum, headers);
  try {
    await storm.begin();
    const loads = Array.from({ length: 2 * plan.parallel }, (_none, number) => storm.load(number));
    const killEach = plan.kills === 0 ? plan.toggles + 1 : Math.ceil(plan.toggles / plan.kills);
    let kills = 0;
    for (let count = 1; count <= plan.toggles; count += 1) {
      const on = count % 2 === 0;
      const killed = count % killEach === 0 ? storm.kill(count) : null;
      while (!(await storm.toggle(count, on))) await wait(20);
      await storm.stay(on, plan.stayMs * (0.5 + Math.random()));
      if (killed) {
        await killed;
        kills += 1;
      }
    }
    while (!(await storm.toggle(0, true))) await wait(20);
    await storm.end(loads);
    const jobsLeft = await openJobs(lyceum);
    const toggleMs = storm.toggleMs.toSorted((a, b) => a - b);
    const jobs = Number((await lyceum.host.db.knex('jobs').count({ n: '*' }).first())?.n);
    return {
      toggles: storm.toggleMs.length,
      kills,
      ...judge(storm),
      ...(await judgeJobs(lyceum, storm.spans)),
      jobs,
      jobsLeft,
      toggleMs: { p50: at(toggleMs, 0.5), p99: at(toggleMs, 0.99) },
    };
  } finally {
    await storm.stop();
    await lyceum.stop();
  }
}
