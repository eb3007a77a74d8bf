import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { SiteRef } from '../api/module.ts';
import type { Database } from '../db/database.ts';
import type { JobEventRow, JobRow } from './job-record.ts';
import { isTerminal } from './job-record.ts';
import { addEvent, findJob, listEvents, notifyJob, requestCancel } from './job-store.ts';
import type { JobTypes } from './job-types.ts';
import type { JobWaiters } from './job-waiters.ts';
import type { Queue } from './queue.ts';

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

  constructor(db: Database, queue: Queue, types: JobTypes, waiters: JobWaiters) {
    this.#db = db;
    this.#queue = queue;
    this.#types = types;
    this.#waiters = waiters;
  }

  /** Row, first event and queue entry commit with `trx`, or none of them. */
  async enqueue(trx: Knex.Transaction, job: NewJob): Promise<JobRow> {
    const { job: declared, module } = this.#types.get(job.type);
    const [row] = (await trx('jobs')
      .insert({
        job_id: randomUUID(),
        type: job.type,
        module: module.id,
        lane: declared.lane ?? 'long',
        user_id: job.userId,
        network_id: job.site.network_id,
        blog_id: job.site.blog_id,
        payload: JSON.stringify(job.payload),
        cancellable: declared.cancellable ?? true,
      })
      .returning('*')) as JobRow[];
    if (!row) throw new Error('The insertion of a job returned no row.');
    await addEvent(trx, row, 'info', 'Enqueued.', null);
    await this.#queue.send(trx, row, job.startAfterSeconds);
    return row;
  }

  find(jobId: string): Promise<JobRow | null> {
    return findJob(this.#db.knex, jobId);
  }

  /** True while the process stops: waiting has no sense any more. */
  get closing(): boolean {
    return this.#waiters.closing;
  }

  /** The job at its first change after now, or as it is when the time is up. Holds no connection meanwhile. */
  async wait(jobId: string, seconds: number, signal: AbortSignal): Promise<JobRow | null> {
    const watch = this.#waiters.watch(jobId);
    try {
      const before = await this.find(jobId);
      if (!before || isTerminal(before.status)) return before;
      return (await watch.change(before, seconds * 1000, signal)) ?? (await this.find(jobId));
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
    return this.#db.transaction((trx) => requestCancel(trx, jobId));
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
        .update({ parked: false, message: '', updated_at: trx.fn.now() })
        .returning('*')) as JobRow[];
      for (const row of rows.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))) {
        await this.#queue.send(trx, row, 0);
        await notifyJob(trx, row.job_id);
      }
    });
  }
}
