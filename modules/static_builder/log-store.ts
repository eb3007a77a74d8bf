import type { EventLevel } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Build } from './build.ts';

/** As many entries are kept of a build. */
const mostEntries = 200;

/** A line of the log of a build. */
export interface LogEntry {
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly level: EventLevel;
  readonly step: string;
}

/** What is to be said. */
export type NewEntry = Pick<LogEntry, 'level' | 'step'>;

/** What runs say of themselves. */
export class LogStore {
  /** Adds lines, the last one the newest; what is too old goes. */
  async add(
    trx: Knex.Transaction,
    { id, blog_id }: Pick<Build, 'id' | 'blog_id'>,
    entries: readonly NewEntry[],
  ): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.slice(-mostEntries).map((entry) => ({ blog_id, build_id: id, ...entry }));
    await trx('static_build_logs').insert(rows);
    await trx.raw(
      `delete from static_build_logs where build_id = ? and id <= (
         select id from static_build_logs where build_id = ? order by id desc offset ? limit 1)`,
      [id, id, mostEntries],
    );
  }

  async empty(trx: Knex.Transaction, buildId: number): Promise<void> {
    await trx('static_build_logs').where({ build_id: buildId }).delete();
  }

  /** Of each build, newest first. One query. */
  async of(sql: Knex, buildIds: readonly number[]): Promise<ReadonlyMap<number, readonly LogEntry[]>> {
    const found = new Map<number, LogEntry[]>();
    const rows = (await sql('static_build_logs')
      .whereRaw('build_id = any(?)', [[...buildIds]])
      .orderBy('id', 'desc')
      .select(
        'build_id',
        'level',
        'step',
        sql.raw('floor(extract(epoch from at))::int as timestamp'),
      )) as (LogEntry & {
      build_id: number;
    })[];
    for (const { build_id, ...entry } of rows) {
      const entries = found.get(build_id) ?? [];
      entries.push(entry);
      found.set(build_id, entries);
    }
    return found;
  }
}
