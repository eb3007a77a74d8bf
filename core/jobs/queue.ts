import type { Knex } from 'knex';
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { JobRow } from './job-record.ts';

export type Lane = 'quick' | 'long' | 'mail' | 'calls';
export const lanes: readonly Lane[] = ['quick', 'long', 'mail', 'calls'];

/** What travels in the queue: everything else stands in the job's row. */
export interface Ticket {
  readonly job_id: string;
}

/** Seconds: a worker that is silent for longer has lost its jobs; they run again within 20 s. */
const heartbeatSeconds = 10;

/** Losses are counted by us: pg-boss itself must never give a job up. */
const retryLimit = 10_000;

/** The longest that a job may run, in seconds; pg-boss takes no more than 24 hours. */
const expireInSeconds = 24 * 60 * 60 - 1;

/** Milliseconds that tickets of handlers that have ended may take to be settled when the process stops. */
const settleMs = 2_000;

const queueOptions = {
  retryLimit,
  retryDelay: 0,
  heartbeatSeconds,
  expireInSeconds,
  deleteAfterSeconds: 60,
  retentionSeconds: 10 * 365 * 24 * 60 * 60,
  notify: true,
};

/** pg-boss in its own schema, one queue per lane. A job is sent in the transaction that wrote its row. */
export class Queue {
  readonly boss: PgBoss;
  readonly #db: Database;
  /** pg-boss writes one long statement per lane and changes nothing in it: prepared, it costs a fifth. */
  readonly #names = new Map<string, string>();

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.boss = new PgBoss({
      connectionString: db.url,
      application_name: 'lyceum jobs',
      schema: 'pgboss',
      max: 4,
      useListenNotify: true,
      schedule: false,
      monitorIntervalSeconds: 5,
      superviseIntervalSeconds: 5,
      monitorVacuum: false,
    });
    this.boss.on('error', (error) => log.warn({ err: error }, 'job queue'));
    this.boss.on('warning', (warning) => log.debug({ warning }, 'job queue'));
  }

  async start(): Promise<void> {
    await this.boss.start();
    for (const name of lanes) {
      await this.boss.createQueue(name, queueOptions);
      // A queue that exists keeps the options of an earlier version otherwise.
      await this.boss.updateQueue(name, queueOptions);
    }
  }

  /** Asks over the queue's own connections; rejects when it is not there. */
  async check(): Promise<void> {
    if ((await this.boss.schemaVersion()) === null) throw new Error('The job queue is not installed.');
  }

  /** Takes no more tickets here; those that were taken are settled when their handlers end. */
  async takeNoMore(): Promise<void> {
    for (const lane of lanes) await this.boss.offWork(lane, { wait: false });
  }

  /** Ends the connections. Tickets whose handlers have not ended are lost at once, and taken by others; idempotent. */
  async stop(): Promise<void> {
    await this.boss.stop({ graceful: true, timeout: settleMs, close: true });
  }

  /**
   * Sends a ticket of a job; jobs of one site take turns with those of others, unless they have a gate. Those that call
   * servers take turns all the same: a site may have as many of their gates as it likes.
   */
  async send(
    trx: Knex.Transaction,
    job: Pick<JobRow, 'job_id' | 'lane' | 'blog_id' | 'gate'>,
    id: string,
    startAfterSeconds: number,
  ): Promise<void> {
    const ticket: Ticket = { job_id: job.job_id };
    await this.boss.send(job.lane, ticket, {
      db: { executeSql: (text, values) => this.#prepared(trx, text, values ?? []) },
      id,
      ...(job.gate === null || job.lane === 'calls' ? { group: { id: String(job.blog_id) } } : {}),
      startAfter: startAfterSeconds,
    });
  }

  async #prepared(
    trx: Knex.Transaction,
    text: string,
    values: readonly unknown[],
  ): Promise<{ rows: object[] }> {
    const name = this.#names.get(text) ?? `queue-${this.#names.size}`;
    this.#names.set(text, name);
    return { rows: await this.#db.named({ name, text }, values, trx) };
  }
}
