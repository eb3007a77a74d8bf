import type { Knex } from 'knex';
import type { TablePlan } from './table-plan.ts';

/** A copied row that may have files: its columns in the source, and both ids. */
export interface RowWithFiles {
  readonly old_id: number;
  readonly new_id: number;
  readonly row: Readonly<Record<string, unknown>>;
}

/** The next copied row of the table. */
export async function nextRowWithFiles(
  sql: Knex,
  { table, ownId }: TablePlan,
  jobId: string,
  after: number,
): Promise<RowWithFiles | null> {
  const { rows } = (await sql.raw(
    `select m.old_id, m.new_id, to_jsonb(s) as row from site_copy_map m join ?? s on s.?? = m.old_id
     where m.job_id = ? and m.kind = ? and m.old_id > ? order by m.old_id limit 1`,
    [table, ownId ?? '', jobId, `module:${table}`, after],
  )) as { rows: RowWithFiles[] };
  return rows[0] ?? null;
}
