import type { Database } from '@lyceum/core';
import type { Knex } from 'knex';

export interface AuditFilter {
  readonly network_id: number;
  /** null: rows of the whole network. */
  readonly blog_id: number | null;
  readonly module: string | undefined;
  /** Exact, or a prefix ending in `.`. */
  readonly action: string | undefined;
  readonly user_id: number | undefined;
  readonly after: string | undefined;
  readonly before: string | undefined;
}

export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly action: string;
}

/** Reads the audit log, newest first. Rows are never changed. */
export class AuditStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(
    filter: AuditFilter,
    limit: number,
    offset: number,
  ): Promise<{ rows: AuditRow[]; total: number }> {
    const [rows, total] = await Promise.all([
      this.#matching(filter).select('*').orderBy('id', 'desc').limit(limit).offset(offset),
      this.#matching(filter).count({ total: '*' }).first(),
    ]);
    return { rows: rows as AuditRow[], total: Number(total?.total ?? 0) };
  }

  #matching(filter: AuditFilter): Knex.QueryBuilder {
    const query = this.#db.knex('audit_log').where('network_id', filter.network_id);
    if (filter.blog_id !== null) query.where('blog_id', filter.blog_id);
    if (filter.module !== undefined) query.where('module', filter.module);
    if (filter.action?.endsWith('.')) query.whereRaw('starts_with(action, ?)', [filter.action]);
    else if (filter.action !== undefined) query.where('action', filter.action);
    if (filter.user_id !== undefined) query.where('user_id', filter.user_id);
    if (filter.after !== undefined) query.where('at', '>', filter.after);
    if (filter.before !== undefined) query.where('at', '<', filter.before);
    return query;
  }
}
