import type { Knex } from 'knex';

/** What is told to the other processes when packages changed. */
export interface PackagesNotice {
  readonly kind: 'packages';
  /** Counts announced changes; a process that has seen fewer looks into its folders. */
  readonly generation: number;
}

/** How often changes were announced so far. */
export async function packagesGeneration(sql: Knex): Promise<number> {
  const row = (await sql('installation').first('packages_generation')) as { packages_generation: number };
  return row.packages_generation;
}

/**
 * Announces that the packages are now these; null when another process, whose folders are the same, did so first.
 * Raises the revision too: what a site serves may have changed.
 * @param seen of ids, versions and errors
 */
export async function announcePackages(trx: Knex.Transaction, seen: string): Promise<number | null> {
  const { rows } = (await trx.raw(
    `with changed as (
       update installation set revision = revision + 1, packages_generation = packages_generation + 1,
         packages_seen = ? where packages_seen is distinct from ?
       returning revision, packages_generation as generation)
     select generation,
       pg_notify('lyceum', json_build_object('kind', 'revision', 'revision', revision)::text),
       pg_notify('lyceum', json_build_object('kind', 'packages', 'generation', generation)::text)
     from changed`,
    [seen, seen],
  )) as { rows: { generation: number }[] };
  return rows[0]?.generation ?? null;
}
