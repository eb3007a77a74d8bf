import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { HookTools, SiteRef } from '../api/module.ts';
import type { Database } from '../db/database.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import { crowdedGates, type JobGate, passGate, setGateLimit } from './gate-store.ts';
import { Gathered } from './gathered.ts';
import { isTerminal, type JobEventRow, type JobRow } from './job-record.ts';
import {
  findJob,
  giveTicket,
  insertJob,
  listEvents,
  notifyJob,
  parkJob,
  requestCancel,
} from './job-store.ts';
import type { JobTypes } from './job-types.ts';
import type { JobWaiters } from './job-waiters.ts';
import { recoverLost } from './lost-store.ts';
import type { Queue } from './queue.ts';
import { type Ending, endRuns, type Outcome, type Return, returnRun } from './run-store.ts';
import { endPending, unaskedJobs } from './site-job-store.ts';

/** A job to enqueue. */
export interface NewJob {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The site whose work it is: fairness and the module's switch go by it. */
  readonly site: SiteRef;
  /** null: the host itself. */
  readonly userId: number | null;
  /** Seconds until it may start; 0 for now. */
  readonly startAfterSeconds: number;
  /** Lets few of these jobs run at once, in place of the turns that jobs of one site take. It starts at once. */
  readonly gate?: JobGate;
}

/** What the job service is made of. */
export interface JobsParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly types: JobTypes;
  readonly waiters: JobWaiters;
  /** What a hook of the module is given in this transaction. */
  readonly tools: (module: ModuleSpec, trx: Knex.Transaction) => HookTools;
}

export interface JobFilter {
  readonly networkId: number;
  /** null: everybody's. */
  readonly userId: number | null;
  readonly blogId: number | null;
  readonly statuses: readonly string[];
  /** Exact types, or prefixes that end in `.`. */
  readonly types: readonly string[];
}

/** Background work: enqueued in the transaction that caused it, watched by clients. */
export class Jobs {
  readonly #db: Database;
  readonly #queue: Queue;
  readonly #types: JobTypes;
  readonly #waiters: JobWaiters;
  readonly #tools: JobsParts['tools'];
  readonly #endings: Gathered<Ending, boolean>;

  constructor({ db, queue, types, waiters, tools }: JobsParts) {
    this.#db = db;
    this.#queue = queue;
    this.#types = types;
    this.#waiters = waiters;
    this.#tools = tools;
    this.#endings = new Gathered((endings) => endRuns(db, undefined, endings));
  }

  /** Row, first event and ticket commit with `trx`, or none of them. */
  async enqueue(trx: Knex.Transaction, job: NewJob): Promise<JobRow> {
    const { job: declared, module } = this.#types.get(job.type);
    const ticket = job.gate ? null : randomUUID();
    const row = await insertJob(this.#db, trx, {
      job_id: randomUUID(),
      ticket,
      type: job.type,
      module: module.id,
      lane: declared.lane ?? 'long',
      user_id: job.userId,
      network_id: job.site.network_id,
      blog_id: job.site.blog_id,
      payload: job.payload,
      cancellable: declared.cancellable ?? true,
      gate: job.gate?.name ?? null,
      gate_limit: job.gate?.limit ?? null,
    });
    if (ticket !== null) await this.#queue.send(trx, row, ticket, job.startAfterSeconds);
    if (job.gate) await this.setGate(trx, job.gate);
    return row;
  }

  /** Makes a gate wider or narrower for those who wait before it; whom there is room for now goes through. */
  async setGate(trx: Knex.Transaction, gate: JobGate): Promise<void> {
    await setGateLimit(trx, gate);
    await this.#openGate(trx, { gate: gate.name });
  }

  /** Sends a job that has waited, now by a new ticket, and tells of it. */
  async #send(trx: Knex.Transaction, row: JobRow): Promise<void> {
    const ticket = randomUUID();
    await giveTicket(trx, row.job_id, ticket);
    await this.#queue.send(trx, row, ticket, 0);
    await notifyJob(trx, row.job_id);
  }

  /** Lets through whom the gate of this job has room for. */
  async #openGate(trx: Knex.Transaction, { gate }: Pick<JobRow, 'gate'>): Promise<void> {
    if (gate === null) return;
    for (const row of await passGate(trx, gate)) await this.#send(trx, row);
  }

  /**
   * Ends a run, and makes room at its gate; false when it is no longer this run, or when its end was asked for
   * meanwhile and this is another one.
   * @param trx to end in; absent: its own
   */
  async end(
    trx: Knex.Transaction | undefined,
    row: JobRow,
    token: string,
    outcome: Outcome,
  ): Promise<boolean> {
    const ending = { jobId: row.job_id, token, outcome };
    if (!trx && row.gate === null) return this.#endings.add(ending);
    if (!trx) return this.#db.transaction((own) => this.end(own, row, token, outcome));
    const [ended] = await endRuns(this.#db, trx, [ending]);
    if (ended) await this.#openGate(trx, row);
    return ended === true;
  }

  /** Gives a running job back, to be taken after so many seconds; false as for `end`. */
  giveBack(row: JobRow, token: string, change: Omit<Return, 'ticket'>, seconds: number): Promise<boolean> {
    return this.#db.transaction(async (trx) => {
      const ticket = randomUUID();
      const given = await returnRun(this.#db, trx, row.job_id, token, { ...change, ticket });
      if (given) await this.#queue.send(trx, row, ticket, seconds);
      return given;
    });
  }

  /** Puts a job aside until its module is on; whoever stood behind it at a gate goes first. */
  async park(row: JobRow): Promise<void> {
    await this.#db.transaction(async (trx) => {
      if (await parkJob(trx, row)) await this.#openGate(trx, row);
    });
  }

  /** Looks again at every gate with a crowd, should room have been made that nobody saw. */
  async openGates(): Promise<void> {
    for (const gate of await crowdedGates(this.#db.knex)) {
      await this.#db.transaction((trx) => this.#openGate(trx, { gate }));
    }
  }

  /** Shows jobs whose worker is silent as pending, and sends those again whose ticket is gone. */
  recover(): Promise<void> {
    return this.#db.transaction(async (trx) => {
      for (const row of await recoverLost(trx)) {
        if (row.ticket === null) await this.#send(trx, row);
        else await notifyJob(trx, row.job_id);
      }
    });
  }

  find(jobId: string): Promise<JobRow | null> {
    return findJob(this.#db, jobId);
  }

  /** True while the process stops: waiting has no sense any more. */
  get closing(): boolean {
    return this.#waiters.closing;
  }

  /**
   * The job at its first change after now, or as it is when the time is up. Holds no connection meanwhile.
   * @param look reads the job, and may refuse to show it; absent: whoever it is
   */
  async wait(
    jobId: string,
    seconds: number,
    signal: AbortSignal,
    look?: () => Promise<JobRow>,
  ): Promise<JobRow | null> {
    const watch = this.#waiters.watch(jobId);
    try {
      const before = await (look ? look() : this.find(jobId));
      if (!before || isTerminal(before.status)) return before;
      const later = await watch.change(before, seconds * 1000, signal);
      return later === undefined ? await this.find(jobId) : later;
    } finally {
      watch.close();
    }
  }

  async list(filter: JobFilter, limit: number, offset: number): Promise<{ rows: JobRow[]; total: number }> {
    const [rows, count] = await Promise.all([
      this.#matching(filter)
        .select('*')
        .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'job_id' }])
        .limit(limit)
        .offset(offset),
      this.#matching(filter).count({ total: '*' }).first(),
    ]);
    return { rows: rows as JobRow[], total: Number(count?.total ?? 0) };
  }

  #matching(filter: JobFilter): Knex.QueryBuilder {
    const query = this.#db.knex('jobs').where('network_id', filter.networkId);
    if (filter.userId !== null) query.where('user_id', filter.userId);
    if (filter.blogId !== null) query.where('blog_id', filter.blogId);
    if (filter.statuses.length > 0) query.whereIn('status', filter.statuses);
    if (filter.types.length > 0) {
      query.where((or) => {
        for (const type of filter.types) {
          if (type.endsWith('.')) or.orWhereRaw('starts_with(type, ?)', [type]);
          else or.orWhere('type', type);
        }
      });
    }
    return query;
  }

  events(jobId: string, after: number, limit: number): Promise<JobEventRow[]> {
    return listEvents(this.#db.knex, jobId, after, limit);
  }

  /** Asks for the end of a job; null when it has ended already. */
  cancel(jobId: string): Promise<JobRow | null> {
    return this.#db.transaction((trx) => this.cancelIn(trx, jobId));
  }

  /** The same as part of a transaction. */
  async cancelIn(trx: Knex.Transaction, jobId: string): Promise<JobRow | null> {
    const row = await requestCancel(trx, jobId);
    if (row?.status === 'cancelled') await this.#withdraw(trx, row);
    return row;
  }

  /** Ends the site's pending jobs and asks the others to, also those that a client may not cancel. */
  async cancelOfSite(trx: Knex.Transaction, blogId: number): Promise<void> {
    await endPending(trx, blogId, this.#types.withdrawing());
    for (const jobId of await unaskedJobs(trx, blogId)) {
      const row = await requestCancel(trx, jobId);
      if (row?.status === 'cancelled') await this.#withdraw(trx, row);
    }
  }

  async #withdraw(trx: Knex.Transaction, row: JobRow): Promise<void> {
    const type = this.#types.find(row.type);
    const { job_id: id, payload, cursor } = row;
    await type?.job.withdraw?.({ id, payload: payload as never, cursor }, this.#tools(type.module, trx));
    await this.#openGate(trx, row);
  }

  /** Pending jobs of a module in the network, or on one site of it. */
  async countPending(sql: Knex, moduleId: string, networkId: number, blogId: number | null): Promise<number> {
    const query = sql('jobs').where({ module: moduleId, network_id: networkId, status: 'pending' });
    if (blogId !== null) query.where('blog_id', blogId);
    const row = await query.count({ pending: '*' }).first();
    return Number(row?.pending ?? 0);
  }

  /** Sends jobs that waited for their module again, where `isOn` says that it is on. */
  async unpark(isOn: (moduleId: string, blogId: number) => Promise<boolean>): Promise<void> {
    const waiting = (await this.#db.knex('jobs').where('parked', true).distinct('module', 'blog_id')) as {
      module: string;
      blog_id: number;
    }[];
    for (const place of waiting) {
      if (await isOn(place.module, place.blog_id)) await this.#unparkAt(place);
    }
  }

  #unparkAt(place: { readonly module: string; readonly blog_id: number }): Promise<void> {
    return this.#db.transaction(async (trx) => {
      const rows = (await trx('jobs')
        .where({ ...place, parked: true })
        .update({
          parked: false,
          waits: trx.raw('gate is not null'),
          message: '',
          updated_at: trx.fn.now(),
        })
        .returning('*')) as JobRow[];
      for (const row of rows.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))) {
        if (row.gate === null) await this.#send(trx, row);
        else await notifyJob(trx, row.job_id);
      }
      for (const gate of new Set(rows.map((row) => row.gate))) await this.#openGate(trx, { gate });
    });
  }
}
