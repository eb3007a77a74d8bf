import type { Knex } from 'knex';

/** The import of the site that has not ended; null without one. */
export async function findRunningImport(sql: Knex, blogId: number): Promise<string | null> {
  const row = (await sql('jobs')
    .where({ blog_id: blogId, type: 'host.import' })
    .whereNull('completed_at')
    .first('job_id')) as { job_id: string } | undefined;
  return row?.job_id ?? null;
}
