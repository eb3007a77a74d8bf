// Over 300 lines: every change of the queue's state is decided here, under one order of locks.
import { randomUUID } from 'node:crypto';
import {
  type Database,
  fail,
  isUniqueViolation,
  type Jobs,
  type RecordWatch,
  type SiteRef,
} from '@lyceum/core';
import type { Knex } from 'knex';
import {
  type EncodeStatus,
  isActive,
  type JobType,
  jobTypes,
  type QueueEntry,
  type QueueFormat,
  topicOf,
} from './entry.ts';
import type { QueueStore } from './queue-store.ts';

/** Stills, thumbnails and packs at once in the installation. */
const quickAtOnce = 2;

const encodeGate = (limit: number) => ({
  name: 'media_converter.encode',
  limit,
});

/** The third lost worker fails a format. */
const mostLosses = 3;

export interface NewEntry {
  readonly site: SiteRef;
  readonly attachmentId: number;
  readonly userId: number;
  readonly type: JobType;
  readonly formats: readonly {
    readonly format: string;
    readonly options: Readonly<Record<string, unknown>>;
  }[];
  /** Encodings at once in the installation. */
  readonly concurrency: number;
}

export interface MediaQueueParts {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly watch: RecordWatch;
  readonly store: QueueStore;
}

/** How a run of a format ended. */
export type Ended =
  | { readonly status: 'completed'; readonly bytes: number | null; readonly path: string | null }
  | { readonly status: 'failed'; readonly error: { readonly code: string; readonly message: string } }
  | { readonly status: 'cancelled' };

/**
 * What is asked for is a row per format, and for each a job of the host is sent, which takes whatever waits longest on
 * its site. So the order, the turns of sites and the pause are decided when a job begins, not when it was sent.
 */
export class MediaQueue {
  readonly #parts: MediaQueueParts;

  constructor(parts: MediaQueueParts) {
    this.#parts = parts;
  }

  get store(): QueueStore {
    return this.#parts.store;
  }

  /**
   * Writes an entry; the attachment is locked by this transaction.
   * @throws `format_already_queued`
   */
  async enqueue(trx: Knex.Transaction, entry: NewEntry): Promise<string> {
    const { site, attachmentId, userId, type, formats } = entry;
    await this.#refuseActive(
      trx,
      site.blog_id,
      attachmentId,
      formats.map(({ format }) => format),
    );
    const own = { blog_id: site.blog_id, attachment_id: attachmentId };
    const queueKey = await this.#send(trx, entry, formats.length);
    try {
      const id = await this.store.insertEntry(trx, { ...own, queue_key: queueKey, user_id: userId });
      const rows = formats.map((format) => ({ ...own, entry_id: id, job_type: type, ...format }));
      await this.store.insertFormats(trx, rows);
    } catch (error) {
      if (isUniqueViolation(error)) fail('format_already_queued');
      throw error;
    }
    return queueKey;
  }

  async #refuseActive(
    trx: Knex.Transaction,
    blogId: number,
    attachmentId: number,
    formats: readonly string[],
  ): Promise<void> {
    const found = await this.store.activeOf(trx, blogId, attachmentId);
    const already = found.filter(({ format }) => formats.includes(format));
    const [first] = already;
    if (!first) return;
    const { queue_key } = first;
    fail('format_already_queued', { data: { queue_key, formats: already.map(({ format }) => format) } });
  }

  /** Sends so many jobs, each of which takes one format: the id of the first. */
  async #send(
    trx: Knex.Transaction,
    { site, userId, type, concurrency }: Pick<NewEntry, 'site' | 'userId' | 'type' | 'concurrency'>,
    many: number,
  ): Promise<string> {
    const isEncode = type === jobTypes.encode;
    const gate = isEncode ? encodeGate(concurrency) : { name: 'media_converter.quick', limit: quickAtOnce };
    let first: string | null = null;
    for (let sent = 0; sent < many; sent += 1) {
      const job = await this.#parts.jobs.enqueue(trx, {
        ...{ type, payload: {}, site, userId, startAfterSeconds: 0, gate },
      });
      first ??= job.job_id;
    }
    return first ?? randomUUID();
  }

  /** So many encodings at once from now on, also of those that wait already. */
  setConcurrency(trx: Knex.Transaction, concurrency: number): Promise<void> {
    return this.#parts.jobs.setGate(trx, encodeGate(concurrency));
  }

  /** Takes the format that the job shall make now, or goes on with: null when there is nothing to do. */
  async begin(
    trx: Knex.Transaction,
    job: { readonly id: string; readonly site: SiteRef },
    type: JobType,
    last: number | null,
  ): Promise<QueueFormat | null> {
    const interrupted = last === null ? null : await this.store.lockFormat(trx, last);
    if (interrupted?.job_id === job.id && interrupted.status === 'running') {
      const losses = interrupted.losses + 1;
      if (losses < mostLosses) return this.#start(trx, { ...interrupted, losses }, job.id);
      const message = 'The encoding was interrupted three times.';
      await this.#end(trx, interrupted, { status: 'failed', error: { code: 'encode_interrupted', message } });
      return null;
    }
    if (await this.store.isPaused(trx, job.site.blog_id)) return null;
    const next = await this.store.nextPending(trx, job.site.blog_id, type);
    return next && this.#start(trx, next, job.id);
  }

  async #start(trx: Knex.Transaction, format: QueueFormat, jobId: string): Promise<QueueFormat> {
    const started = {
      status: 'running',
      job_id: jobId,
      run_id: randomUUID(),
      attempts: format.attempts + 1,
      losses: format.losses,
      error: null,
    } as const;
    const started_at = format.started_at ?? trx.fn.now();
    await this.store.changeFormat(trx, format.id, { ...started, started_at });
    await this.#changed(trx, format.entry_id);
    return { ...format, ...started };
  }

  /** The run goes on elsewhere, or later: its format waits again. */
  async release(format: QueueFormat): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      const now = await this.store.lockFormat(trx, format.id);
      if (now?.run_id !== format.run_id || now.status !== 'running') return;
      await this.store.changeFormat(trx, format.id, {
        status: 'pending',
        job_id: null,
        run_id: null,
        speed: null,
      });
      await this.#changed(trx, format.entry_id);
    });
  }

  /** Locks the format for the end of a run; false when it is no longer that run's. */
  async isStill(trx: Knex.Transaction, format: QueueFormat): Promise<boolean> {
    const now = await this.store.lockFormat(trx, format.id);
    return now?.run_id === format.run_id && now.status === 'running';
  }

  /** Ends a run that still has its format. */
  async end(trx: Knex.Transaction, format: QueueFormat, ended: Ended): Promise<void> {
    if (await this.isStill(trx, format)) await this.#end(trx, format, ended);
  }

  async #end(trx: Knex.Transaction, format: QueueFormat, ended: Ended): Promise<void> {
    const done =
      ended.status === 'completed'
        ? { percent: 100, eta_seconds: 0, bytes: ended.bytes, path: ended.path }
        : { eta_seconds: null, error: ended.status === 'failed' ? ended.error : null };
    await this.store.changeFormat(trx, format.id, {
      ...{ status: ended.status, run_id: null, completed_at: trx.fn.now() },
      ...done,
    });
    await this.#changed(trx, format.entry_id);
  }

  async progress(
    format: QueueFormat,
    at: { readonly percent: number; readonly speed: number | null; readonly eta: number | null },
  ): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      if (await this.store.recordProgress(trx, format, at)) await this.#changed(trx, format.entry_id);
    });
  }

  async #changed(trx: Knex.Transaction, entryId: number): Promise<void> {
    const key = await this.store.refresh(trx, entryId);
    if (key !== null) await this.#parts.watch.tell(trx, topicOf(key));
  }

  /** Ends these formats where they are active: a running ffmpeg is stopped. How many there were. */
  async cancel(trx: Knex.Transaction, formats: readonly QueueFormat[]): Promise<number> {
    // Jobs are locked before formats, as their own ends do it.
    const asked = new Set<string>();
    const stop = async ({ status, job_id }: QueueFormat): Promise<void> => {
      if (status !== 'running' || job_id === null || asked.has(job_id)) return;
      asked.add(job_id);
      await this.#parts.jobs.cancelIn(trx, job_id);
    };
    for (const format of formats) await stop(format);
    // All of them before the first entry is written: whoever ends one goes from the format to its entry.
    const locked = await this.store.lockFormats(
      trx,
      formats.map(({ id }) => id),
    );
    let ended = 0;
    for (const now of locked) {
      if (!isActive(now.status)) continue;
      await stop(now);
      await this.#end(trx, now, { status: 'cancelled' });
      ended += 1;
    }
    return ended;
  }

  /** Ends all that is made of the attachment, as when it is deleted or gets another file: keys of the entries. */
  async cancelOf(trx: Knex.Transaction, blogId: number, attachmentId: number): Promise<string[]> {
    const keys = await this.activeKeys(blogId, attachmentId, trx);
    await this.cancel(trx, await this.store.formatsOfAttachment(trx, blogId, attachmentId));
    return keys;
  }

  /** Keys of entries that are not done with the attachment. */
  async activeKeys(blogId: number, attachmentId: number, sql: Knex = this.#parts.db.knex): Promise<string[]> {
    const found = await this.store.activeOf(sql, blogId, attachmentId);
    return [...new Set(found.map(({ queue_key }) => queue_key))];
  }

  /**
   * Failed and cancelled formats of an entry wait again: how many. Its attachment is locked by this transaction.
   * @throws `queue_not_found`, `nothing_to_retry`, `format_already_queued`
   */
  async retry(trx: Knex.Transaction, entry: QueueEntry, site: SiteRef, concurrency: number): Promise<number> {
    const known = await this.store.formatsOf(trx, [entry.id]);
    const formats = await this.store.lockFormats(
      trx,
      known.map(({ id }) => id),
    );
    // It was removed meanwhile.
    if (formats.length === 0) return fail('queue_not_found');
    const ended = formats.filter(({ status }) => status === 'failed' || status === 'cancelled');
    const [first] = ended;
    if (!first) return fail('nothing_to_retry');
    const names = ended.map(({ format }) => format);
    await this.#refuseActive(trx, entry.blog_id, entry.attachment_id, names);
    for (const { id } of ended) {
      const blank = { percent: 0, speed: null, eta_seconds: null, error: null, job_id: null, run_id: null };
      await this.store.changeFormat(trx, id, {
        ...{ ...blank, status: 'pending', losses: 0, attempts: 0 },
        completed_at: null,
      });
    }
    await this.#changed(trx, entry.id);
    // Last, as the end of a job does it: the gate is held until the commit.
    await this.#send(trx, { site, userId: entry.user_id, type: first.job_type, concurrency }, ended.length);
    return ended.length;
  }

  /** Pauses or resumes the site: how much changed. What waited is sent for again. */
  async setPaused(
    trx: Knex.Transaction,
    site: SiteRef,
    isPaused: boolean,
    userId: number,
    concurrency: number,
  ): Promise<number> {
    if (!(await this.store.setPaused(trx, site.blog_id, isPaused))) return 0;
    const entries = await this.store.entriesIn(trx, site.blog_id, ['pending', 'running']);
    for (const { queue_key } of entries) await this.#parts.watch.tell(trx, topicOf(queue_key));
    if (isPaused) return 1;
    for (const type of Object.values(jobTypes)) {
      const waiting = await this.store.countPending(trx, site.blog_id, type);
      await this.#send(trx, { site, userId, type, concurrency }, waiting);
    }
    return 1;
  }

  /** Removes entries of the site in these statuses; active ones are ended first. */
  async clear(
    trx: Knex.Transaction,
    blogId: number,
    which: readonly EncodeStatus[],
  ): Promise<{ readonly deleted: number; readonly cancelled: number }> {
    const entries = await this.store.entriesIn(trx, blogId, which);
    return this.remove(trx, entries);
  }

  async remove(trx: Knex.Transaction, entries: readonly QueueEntry[]) {
    const ids = entries.map(({ id }) => id);
    await this.cancel(trx, await this.store.formatsOf(trx, ids));
    const deleted = await this.store.removeEntries(trx, ids);
    return { deleted, cancelled: entries.filter(({ status }) => isActive(status)).length };
  }
}
