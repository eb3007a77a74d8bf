import type { Knex } from 'knex';
import { fail } from '../../api/errors.ts';
import type { TermLabel } from './site-record.ts';

export interface WantedLabels {
  readonly status_id: number | null;
  readonly category_ids: readonly number[];
}

export interface Labels {
  readonly status: TermLabel | null;
  /** By id, each once. */
  readonly categories: readonly TermLabel[];
}

/**
 * The site status and categories of these ids; none can be removed until the transaction ends.
 * @throws `term_not_found` with `data.params` naming the field whose id is none of the network's
 */
export async function lockLabels(
  trx: Knex.Transaction,
  networkId: number,
  { status_id, category_ids }: WantedLabels,
): Promise<Labels> {
  const wanted = new Set(category_ids);
  if (status_id === null && wanted.size === 0) return { status: null, categories: [] };
  const rows = (await trx('terms')
    .where({ network_id: networkId })
    .where((either) => {
      either
        .where((category) => category.where('taxonomy', 'site_category').whereIn('id', [...wanted]))
        .orWhere({ taxonomy: 'site_status', id: status_id });
    })
    .orderBy('id')
    .forKeyShare()
    .select('id', 'name', 'slug', 'taxonomy')) as (TermLabel & { taxonomy: string })[];
  const labels = rows.map(({ id, name, slug, taxonomy }) => ({ taxonomy, label: { id, name, slug } }));
  const status = labels.find(({ taxonomy }) => taxonomy === 'site_status')?.label ?? null;
  const categories = labels.filter(({ taxonomy }) => taxonomy === 'site_category').map(({ label }) => label);
  if (status_id !== null && !status) fail('term_not_found', { data: { params: ['status_id'] } });
  if (categories.length < wanted.size) fail('term_not_found', { data: { params: ['category_ids'] } });
  return { status, categories };
}
