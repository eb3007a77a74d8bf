import type { Knex } from 'knex';

/** What a copy takes from its source unless something else is wanted. */
export interface SourceFields {
  readonly network_id: number;
  readonly title: string;
  readonly description: string;
  readonly public: number;
  readonly is_template: boolean;
  readonly status_id: number | null;
  readonly category_ids: readonly number[];
}

/** The site, which stays until the transaction ends; null when it is not there to be read. */
export async function lockSource(trx: Knex.Transaction, blogId: number): Promise<SourceFields | null> {
  const site = (await trx('sites')
    .where({ blog_id: blogId, state: 'ready' })
    .forShare()
    .first('network_id', 'title', 'description', 'public', 'is_template', 'status_id')) as
    | Omit<SourceFields, 'category_ids'>
    | undefined;
  if (!site) return null;
  // Terms that are just being deleted are not waited for, and not taken.
  const terms = (await trx('terms')
    .where({ network_id: site.network_id })
    .where((either) => {
      either
        .where('id', site.status_id)
        .orWhereIn('id', trx('site_terms').where('blog_id', blogId).select('term_id'));
    })
    .forKeyShare()
    .skipLocked()
    .select('id', 'taxonomy')) as { id: number; taxonomy: string }[];
  const status = terms.find(({ taxonomy }) => taxonomy === 'site_status')?.id ?? null;
  const categories = terms.filter(({ taxonomy }) => taxonomy === 'site_category').map(({ id }) => id);
  return { ...site, status_id: status, category_ids: categories };
}

/** Gives a new site its administrator's address and its categories. */
export async function describeTarget(
  trx: Knex.Transaction,
  blogId: number,
  { email, categoryIds }: { readonly email: string; readonly categoryIds: readonly number[] },
): Promise<void> {
  await trx('site_options').insert({ blog_id: blogId, name: 'admin_email', value: JSON.stringify(email) });
  if (categoryIds.length === 0) return;
  await trx('site_terms').insert(categoryIds.map((term_id) => ({ blog_id: blogId, term_id })));
}

/** Beginning of the names of gates that copies of a network pass. */
const gatePrefix = 'site copies ';

export const copyGate = (networkId: number): string => `${gatePrefix}${networkId}`;

/** Jobs of copies that have not ended. */
const openCopies = (sql: Knex): Knex.QueryBuilder =>
  sql('jobs as j').whereNull('j.completed_at').whereRaw('starts_with(j.gate, ?)', [gatePrefix]);

/** The unfinished copy of which the site is source or target; null without one. */
export async function openCopyOf(sql: Knex, blogId: number): Promise<string | null> {
  const row = await openCopies(sql)
    .where((either) => {
      either
        .whereRaw(`(j.payload ->> 'source_blog_id')::int = ?`, [blogId])
        .orWhereRaw(`(j.payload ->> 'target_blog_id')::int = ?`, [blogId]);
    })
    .orderBy('j.created_at')
    .first('j.job_id');
  return (row as { job_id: string } | undefined)?.job_id ?? null;
}

/** Sites in creation that no job works at any more. */
export async function abandonedTargets(sql: Knex): Promise<number[]> {
  return (await sql('sites as s')
    .where('s.state', 'creating')
    .whereNotIn('s.blog_id', openCopies(sql).select(sql.raw(`(j.payload ->> 'target_blog_id')::int`)))
    .orderBy('s.blog_id')
    .pluck('s.blog_id')) as number[];
}

/** The jobs that made a site. */
export async function jobsOfTarget(sql: Knex, blogId: number): Promise<string[]> {
  return (await sql('jobs')
    .whereRaw('starts_with(gate, ?)', [gatePrefix])
    .whereRaw(`payload @> ?::jsonb`, [JSON.stringify({ target_blog_id: blogId })])
    .pluck('job_id')) as string[];
}
