import type { Knex } from 'knex';

export interface EndedImport {
  readonly blog_id: number;
  readonly upload: string;
}

/** Imports that ended after a time. */
export async function endedImports(sql: Knex, after: Date): Promise<EndedImport[]> {
  const rows = (await sql('jobs')
    .where('type', 'host.import')
    .where('completed_at', '>', after)
    .select('blog_id', sql.raw(`payload ->> 'upload' as upload`))) as EndedImport[];
  return rows;
}
