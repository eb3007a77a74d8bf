import type { Knex } from 'knex';
import type { Facts, Failure, License } from './license.ts';
import type { LicenseKeep } from './places.ts';
import type { Status, Verdict } from './standing.ts';

/** A license that was just activated. */
export type NewLicense = Omit<License, 'license_id' | 'refreshed_at' | 'failure'>;

/** What a check came to. */
export type CheckOutcome =
  | { readonly verdict: Verdict; readonly facts: Facts }
  | { readonly failure: Failure };

const columns = [
  'license_id',
  'network_id',
  'blog_id',
  'product_id',
  'generation',
  'kind',
  'sealed_key',
  'key_hint',
  'seat_hash',
  'url',
  'share',
  'verdict',
  'noted_status',
  'expires_at',
  'lifetime',
  'seat_limit',
  'seats_used',
  'seats_left',
  'customer_name',
  'customer_email',
  'answer',
  'failure',
  'activated_at',
  'checked_at',
  'answered_at',
  'refreshed_at',
];

/** Licenses of these keeps of one network, of one product or of all. */
export async function findLicenses(
  sql: Knex,
  networkId: number,
  blogIds: readonly number[],
  productId: string | null,
): Promise<License[]> {
  const query = sql('licenses').where('network_id', networkId).whereIn('blog_id', blogIds).select(columns);
  if (productId !== null) query.where('product_id', productId);
  return (await query) as License[];
}

export async function findLicense(sql: Knex, keep: LicenseKeep, productId: string): Promise<License | null> {
  const [found] = await findLicenses(sql, keep.network_id, [keep.blog_id], productId);
  return found ?? null;
}

export async function findLicenseById(sql: Knex, licenseId: number): Promise<License | null> {
  return (
    ((await sql('licenses').where({ license_id: licenseId }).first(columns)) as License | undefined) ?? null
  );
}

/** The license until the transaction ends, if it is still of this generation. */
export async function lockLicense(
  trx: Knex.Transaction,
  licenseId: number,
  generation: string,
): Promise<License | null> {
  const query = trx('licenses').where({ license_id: licenseId, generation }).forUpdate().first(columns);
  return ((await query) as License | undefined) ?? null;
}

/** Whether the site of a keep is there; if so it is not removed until the transaction ends. */
export async function holdSite(trx: Knex.Transaction, { blog_id }: LicenseKeep): Promise<boolean> {
  if (blog_id === 0) return true;
  const row: unknown = await trx('sites').where({ blog_id, state: 'ready' }).forShare().first('blog_id');
  return row !== undefined;
}

const rowOf = ({ sealed_key, answer, ...license }: NewLicense) => ({
  ...license,
  sealed_key: JSON.stringify(sealed_key),
  answer: JSON.stringify(answer),
  failure: null,
  check_begun: 0,
  check_done: 0,
  refreshed_at: null,
});

/** Takes the place of whatever license the product had there. */
export async function putLicense(trx: Knex.Transaction, license: NewLicense): Promise<License> {
  const [row] = (await trx('licenses')
    .insert(rowOf(license))
    .onConflict(['network_id', 'blog_id', 'product_id'])
    .merge()
    .returning(columns)) as License[];
  if (!row) throw new Error('The license was not stored.');
  return row;
}

/** False when it was replaced or removed meanwhile. */
export async function removeLicense(
  trx: Knex.Transaction,
  { license_id, generation }: License,
): Promise<boolean> {
  return (await trx('licenses').where({ license_id, generation }).delete()) > 0;
}

/** The number of a check that begins; null when the license is no longer that one. */
export async function beginCheck(sql: Knex, { license_id, generation }: License): Promise<number | null> {
  const [row] = (await sql('licenses')
    .where({ license_id, generation })
    .update({ check_begun: sql.raw('check_begun + 1') })
    .returning('check_begun')) as { check_begun: number }[];
  return row?.check_begun ?? null;
}

/** Whether a refresh may ask now: one in so many milliseconds does. Also after the clock was set back. */
export async function takeRefresh(
  sql: Knex,
  { license_id, generation }: License,
  now: Date,
  pauseMs: number,
): Promise<boolean> {
  const taken = await sql('licenses')
    .where({ license_id, generation })
    .where((or) => {
      or.whereNull('refreshed_at')
        .orWhere('refreshed_at', '<=', new Date(now.getTime() - pauseMs))
        .orWhere('refreshed_at', '>', now);
    })
    .update({ refreshed_at: now });
  return taken > 0;
}

/** Stores what a check came to, unless one that began later was sooner; null then. */
export async function endCheck(
  trx: Knex.Transaction,
  { license_id, generation }: License,
  check: number,
  outcome: CheckOutcome,
  now: Date,
): Promise<License | null> {
  const told =
    'failure' in outcome
      ? { failure: JSON.stringify(outcome.failure) }
      : {
          ...outcome.facts,
          answer: JSON.stringify(outcome.facts.answer),
          verdict: outcome.verdict,
          failure: null,
          answered_at: now,
        };
  const [row] = (await trx('licenses')
    .where({ license_id, generation })
    .where('check_done', '<', check)
    .update({ ...told, checked_at: now, check_done: check })
    .returning(columns)) as License[];
  return row ?? null;
}

/** The audit log knows of this status now. */
export async function noteStatus(
  trx: Knex.Transaction,
  { license_id, generation }: License,
  status: Status,
): Promise<void> {
  await trx('licenses').where({ license_id, generation }).update({ noted_status: status });
}

/** Networks that have licenses. */
export const networksWithLicenses = (sql: Knex): Promise<number[]> =>
  sql('licenses').distinct('network_id').orderBy('network_id').pluck('network_id');

/** Which licenses of a network are due, and how to look for them. */
export interface DueQuery {
  readonly networkId: number;
  readonly intervalHours: number;
  readonly now: Date;
  /** Ids up to this one were looked at. */
  readonly after: number;
  readonly limit: number;
}

/** A mark that is older is one of a check that was lost. */
const longestQueuedMs = 24 * 3_600_000;

/** The licenses whose turn is not that of their last check and for which no check is queued; locked. */
export async function lockDue(
  trx: Knex.Transaction,
  { networkId, intervalHours, now, after, limit }: DueQuery,
): Promise<License[]> {
  const seconds = intervalHours * 3600;
  return (await trx('licenses')
    .where('network_id', networkId)
    .where('license_id', '>', after)
    .whereRaw(
      `floor(extract(epoch from ?::timestamptz)::float8 / ? - share)
        <> floor(extract(epoch from checked_at)::float8 / ? - share)`,
      [now, seconds, seconds],
    )
    .where((or) => {
      or.whereNull('queued_at')
        .orWhere('queued_at', '<', new Date(now.getTime() - longestQueuedMs))
        .orWhere('queued_at', '>', now);
    })
    .orderBy('license_id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .select(columns)) as License[];
}

/** Marks licenses as queued for a check, or no longer so. */
export async function markQueued(sql: Knex, licenseIds: readonly number[], at: Date | null): Promise<void> {
  if (licenseIds.length > 0)
    await sql('licenses').whereIn('license_id', licenseIds).update({ queued_at: at });
}
