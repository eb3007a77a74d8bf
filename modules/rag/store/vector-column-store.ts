import type { Knex } from 'knex';

/** How the store keeps vectors: the type of its column. */
export type VectorBackend = 'pgvector' | 'sql';

/** The type that the column of vectors gets: `vector` where the server has pgvector or lets it be made. */
export async function chooseVectorColumn(trx: Knex.Transaction): Promise<'vector' | 'real[]'> {
  return (await makeExtension(trx)) ? 'vector' : 'real[]';
}

/** True when pgvector is there, made now if need be; a server that refuses it costs nothing but the look. */
export async function makeExtension(trx: Knex.Transaction): Promise<boolean> {
  const offered = await trx('pg_available_extensions').where('name', 'vector').first('installed_version');
  if (!offered) return false;
  if (offered.installed_version) return true;
  try {
    await trx.transaction((savepoint) => savepoint.raw('create extension if not exists vector'));
    return true;
  } catch {
    return false;
  }
}

/** What the column is now. */
export async function vectorBackend(sql: Knex): Promise<VectorBackend> {
  const row = (await sql('information_schema.columns')
    .where({ table_name: 'rag_chunks', column_name: 'embedding' })
    .whereRaw('table_schema = current_schema()')
    .first('udt_name')) as { udt_name: string } | undefined;
  return row?.udt_name === 'vector' ? 'pgvector' : 'sql';
}

/** Version of the extension that the database has; null without it. */
export async function extensionVersion(sql: Knex): Promise<string | null> {
  const row = (await sql('pg_extension').where('extname', 'vector').first('extversion')) as
    | { extversion: string }
    | undefined;
  return row?.extversion ?? null;
}
