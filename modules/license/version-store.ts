import type { Knex } from 'knex';
import type { ProductVersion } from './server/read-version.ts';

export interface StoredVersion {
  readonly version: ProductVersion | null;
  readonly fetched_at: string | null;
}

/** How old a version may grow, and how long to wait after an attempt that brought none. */
export interface VersionAges {
  readonly fetchedMs: number;
  readonly askedMs: number;
}

/** Whether the version is to be fetched now, and by whoever asked. One statement, so that one of many does. */
export async function takeFetch(
  sql: Knex,
  place: { readonly network_id: number; readonly product_id: string },
  now: Date,
  { fetchedMs, askedMs }: VersionAges,
): Promise<boolean> {
  const ago = (milliseconds: number): Date => new Date(now.getTime() - milliseconds);
  const rows = (await sql('license_versions')
    .insert({ ...place, asked_at: now })
    .onConflict(['network_id', 'product_id'])
    .merge(['asked_at'])
    .whereRaw(
      `(license_versions.fetched_at is null or license_versions.fetched_at <= ? or license_versions.fetched_at > ?)
        and (license_versions.asked_at <= ? or license_versions.asked_at > ?)`,
      [ago(fetchedMs), now, ago(askedMs), now],
    )
    .returning('product_id')) as unknown[];
  return rows.length > 0;
}

export async function putVersion(
  sql: Knex,
  place: { readonly network_id: number; readonly product_id: string },
  version: ProductVersion,
  now: Date,
): Promise<void> {
  await sql('license_versions')
    .where(place)
    .update({ version: JSON.stringify(version), fetched_at: now });
}

export async function findVersion(
  sql: Knex,
  place: { readonly network_id: number; readonly product_id: string },
): Promise<StoredVersion | null> {
  const row = await sql('license_versions').where(place).first('version', 'fetched_at');
  return (row as StoredVersion | undefined) ?? null;
}
