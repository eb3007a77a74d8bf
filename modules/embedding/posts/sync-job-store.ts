import type { JobRow } from '@lyceum/core';
import type { Knex } from 'knex';

const syncsOf = (sql: Knex, blogId: number) => sql('jobs').where({ blog_id: blogId, type: 'embedding.sync' });

/** The sync of the site that has not ended; null without one. */
export async function runningSync(sql: Knex, blogId: number): Promise<string | null> {
  const row = (await syncsOf(sql, blogId).whereNull('completed_at').first('job_id')) as
    | { job_id: string }
    | undefined;
  return row?.job_id ?? null;
}

/** The newest sync of the site; null before the first. */
export const lastSync = async (sql: Knex, blogId: number): Promise<JobRow | null> =>
  ((await syncsOf(sql, blogId).orderBy('created_at', 'desc').first()) as JobRow | undefined) ?? null;
