import type { Knex } from 'knex';
import {
  type EncodeStatus,
  entryPercent,
  entryStatus,
  isActive,
  type JobType,
  jobTypes,
  type QueueEntry,
  type QueueFormat,
} from './entry.ts';

export interface EntryFilter {
  readonly blogId: number;
  /** null: everybody's. */
  readonly userId: number | null;
  readonly statuses: readonly string[];
  readonly attachmentId: number | null;
}

const active = ['pending', 'running'];

/** SQL around the queue's tables. */
export class QueueStore {
  async insertEntry(
    trx: Knex.Transaction,
    entry: Pick<QueueEntry, 'queue_key' | 'blog_id' | 'attachment_id' | 'user_id'>,
  ): Promise<number> {
    const [row] = (await trx('encode_queue').insert(entry).returning('id')) as { id: number }[];
    if (!row) throw new Error('A queue entry was not written.');
    return row.id;
  }

  async insertFormats(
    trx: Knex.Transaction,
    formats: readonly Pick<
      QueueFormat,
      'entry_id' | 'blog_id' | 'attachment_id' | 'job_type' | 'format' | 'options'
    >[],
  ): Promise<void> {
    await trx('encode_queue_formats').insert(
      formats.map(({ options, ...format }) => ({ ...format, options: JSON.stringify(options) })),
    );
  }

  /** Formats of these names that are being made of the attachment, with the keys of their entries. */
  async activeOf(
    sql: Knex,
    blogId: number,
    attachmentId: number,
  ): Promise<(Pick<QueueFormat, 'format' | 'status' | 'percent' | 'job_type'> & { queue_key: string })[]> {
    return (await sql('encode_queue_formats as f')
      .join('encode_queue as e', 'e.id', 'f.entry_id')
      .where({ 'f.blog_id': blogId, 'f.attachment_id': attachmentId })
      .whereIn('f.status', active)
      .orderBy('f.id')
      .select('f.format', 'f.status', 'f.percent', 'f.job_type', 'e.queue_key')) as never;
  }

  async findEntry(sql: Knex, blogId: number, queueKey: string): Promise<QueueEntry | null> {
    const query = sql('encode_queue').where({ queue_key: queueKey, blog_id: blogId });
    return ((await query.first()) as QueueEntry | undefined) ?? null;
  }

  async formatsOf(sql: Knex, entryIds: readonly number[]): Promise<QueueFormat[]> {
    const query = sql('encode_queue_formats').whereRaw('entry_id = any(?)', [[...entryIds]]);
    return (await query.orderBy('id')) as QueueFormat[];
  }

  async formatsOfAttachment(
    trx: Knex.Transaction,
    blogId: number,
    attachmentId: number,
  ): Promise<QueueFormat[]> {
    const query = trx('encode_queue_formats').where({ blog_id: blogId, attachment_id: attachmentId });
    return (await query.whereIn('status', active).orderBy('id')) as QueueFormat[];
  }

  /** Formats of entries of the site in these statuses of entries. */
  async entriesIn(
    trx: Knex.Transaction,
    blogId: number,
    entryStatuses: readonly EncodeStatus[],
  ): Promise<QueueEntry[]> {
    const query = trx('encode_queue')
      .where({ blog_id: blogId })
      .whereIn('status', [...entryStatuses]);
    return (await query.orderBy('id')) as QueueEntry[];
  }

  async removeEntries(trx: Knex.Transaction, ids: readonly number[]): Promise<number> {
    return trx('encode_queue')
      .whereRaw('id = any(?)', [[...ids]])
      .delete();
  }

  async list(sql: Knex, filter: EntryFilter, limit: number, offset: number) {
    const matching = () => {
      const query = sql('encode_queue').where('blog_id', filter.blogId);
      if (filter.userId !== null) query.where('user_id', filter.userId);
      if (filter.statuses.length > 0) query.whereIn('status', [...filter.statuses]);
      if (filter.attachmentId !== null) query.where('attachment_id', filter.attachmentId);
      return query;
    };
    const [rows, count] = await Promise.all([
      matching().orderBy('id', 'desc').limit(limit).offset(offset),
      matching().count({ total: '*' }).first(),
    ]);
    const { total } = count as unknown as { total: number };
    return { entries: rows as QueueEntry[], total: Number(total) };
  }

  /** The place of each of these among the entries of the site that wait for the same: 1 is next. */
  async positions(sql: Knex, blogId: number, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (ids.length === 0) return new Map();
    const { rows } = (await sql.raw(
      `with waiting as (
         select b.id, row_number() over (
           partition by (select f.job_type from encode_queue_formats f where f.entry_id = b.id order by f.id limit 1)
             <> ? order by b.id)::int as position
         from encode_queue b where b.blog_id = ? and b.status = 'pending')
       select id, position from waiting where id = any(?)`,
      [jobTypes.encode, blogId, [...ids]],
    )) as { rows: { id: number; position: number }[] };
    return new Map(rows.map(({ id, position }) => [id, position]));
  }

  async titles(sql: Knex, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const rows = (await sql('posts')
      .whereRaw('id = any(?)', [[...ids]])
      .select('id', 'title')) as {
      id: number;
      title: string;
    }[];
    return new Map(rows.map(({ id, title }) => [id, title]));
  }

  /** The format that waits longest on the site; nobody else takes it. */
  async nextPending(trx: Knex.Transaction, blogId: number, type: JobType): Promise<QueueFormat | null> {
    const query = trx('encode_queue_formats').where({ blog_id: blogId, job_type: type, status: 'pending' });
    const row = await query.orderBy(['entry_id', 'id']).forUpdate().skipLocked().first();
    return (row as QueueFormat | undefined) ?? null;
  }

  async countPending(trx: Knex.Transaction, blogId: number, type: JobType): Promise<number> {
    const query = trx('encode_queue_formats').where({ blog_id: blogId, job_type: type, status: 'pending' });
    const row = await query.count({ n: '*' }).first();
    return Number(row?.n ?? 0);
  }

  async lockFormat(trx: Knex.Transaction, id: number): Promise<QueueFormat | null> {
    const row = await trx('encode_queue_formats').where({ id }).forUpdate().first();
    return (row as QueueFormat | undefined) ?? null;
  }

  /** The same of many, always in one order. */
  async lockFormats(trx: Knex.Transaction, ids: readonly number[]): Promise<QueueFormat[]> {
    const query = trx('encode_queue_formats').whereRaw('id = any(?)', [[...ids]]);
    return (await query.orderBy('id').forUpdate()) as QueueFormat[];
  }

  async changeFormat(
    sql: Knex,
    id: number,
    change: Partial<Omit<QueueFormat, 'id' | 'started_at' | 'completed_at'>> & {
      readonly started_at?: unknown;
      readonly completed_at?: unknown;
    },
  ): Promise<void> {
    const { error, options: _options, ...rest } = change;
    const failure = error === undefined ? {} : { error: error === null ? null : JSON.stringify(error) };
    await sql('encode_queue_formats')
      .where({ id })
      .update({ ...rest, ...failure });
  }

  /** Where a run is; false when it is no longer that run. The percentage never falls. */
  async recordProgress(
    trx: Knex.Transaction,
    { id, run_id }: Pick<QueueFormat, 'id' | 'run_id'>,
    at: { readonly percent: number; readonly speed: number | null; readonly eta: number | null },
  ): Promise<boolean> {
    const written = await trx('encode_queue_formats')
      .where({ id, run_id, status: 'running' })
      .update({
        percent: trx.raw('greatest(percent, least(?, 99))', [at.percent]),
        speed: at.speed,
        eta_seconds: at.eta,
      });
    return written > 0;
  }

  /** Writes what follows for the entry from its formats: its key, for whoever waits. */
  async refresh(trx: Knex.Transaction, entryId: number): Promise<string | null> {
    const formats = await this.formatsOf(trx, [entryId]);
    const status = entryStatus(formats);
    const [row] = (await trx('encode_queue')
      .where('id', entryId)
      .update({
        status,
        percent: entryPercent(formats),
        updated_at: trx.fn.now(),
        completed_at: isActive(status) ? null : trx.raw('coalesce(completed_at, now())'),
      })
      .returning('queue_key')) as { queue_key: string }[];
    return row?.queue_key ?? null;
  }

  async isPaused(sql: Knex, blogId: number): Promise<boolean> {
    return (await sql('encode_pauses').where('blog_id', blogId).first('blog_id')) !== undefined;
  }

  /** False when it was so already. */
  async setPaused(trx: Knex.Transaction, blogId: number, isPaused: boolean): Promise<boolean> {
    if (!isPaused) return (await trx('encode_pauses').where('blog_id', blogId).delete()) > 0;
    const { rowCount } = (await trx.raw(
      'insert into encode_pauses (blog_id) values (?) on conflict do nothing',
      [blogId],
    )) as { rowCount: number };
    return rowCount > 0;
  }
}
