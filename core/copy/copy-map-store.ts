import type { Knex } from 'knex';
import type { IdKind, NewId } from './references.ts';

const kinds: readonly IdKind[] = ['attachment', 'post', 'term'];

/**
 * Collects the ids that are asked for and looks them up together. Used twice with the same texts: once to collect,
 * once to answer.
 */
export class IdLookup {
  readonly #asked = new Map<IdKind, Set<number>>(kinds.map((kind) => [kind, new Set()]));
  readonly #found = new Map<IdKind, Map<number, number>>(kinds.map((kind) => [kind, new Map()]));

  /** Notes the question and knows no answer. */
  readonly collect: NewId = (asked, id) => {
    for (const kind of asked) this.#asked.get(kind)?.add(id);
    return undefined;
  };

  readonly answer: NewId = (asked, id) => {
    for (const kind of asked) {
      const found = this.#found.get(kind)?.get(id);
      if (found !== undefined) return found === 0 ? null : found;
    }
    return undefined;
  };

  /** Reads the copies of all ids that were asked for. */
  async read(sql: Knex, jobId: string): Promise<void> {
    for (const [kind, ids] of this.#asked) {
      if (ids.size === 0) continue;
      const rows = (await sql('site_copy_map')
        .where({ job_id: jobId, kind })
        .whereRaw('old_id = any(?::bigint[])', [[...ids]])
        .select('old_id', 'new_id')) as { old_id: number; new_id: number }[];
      for (const { old_id, new_id } of rows) this.#found.get(kind)?.set(old_id, new_id);
    }
  }
}

/** Forgets some of the map of a job; false when nothing is left of it. */
export async function forgetMap(trx: Knex.Transaction, jobId: string): Promise<boolean> {
  // By place: a join of the table with itself would be planned without knowing how much there is.
  const { rowCount } = (await trx.raw(
    `delete from site_copy_map where ctid = any(array(select ctid from site_copy_map where job_id = ? limit 5000))`,
    [jobId],
  )) as { rowCount: number };
  return rowCount > 0;
}
