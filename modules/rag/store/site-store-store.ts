import type { Knex } from 'knex';
import type { VectorBackend } from './vector-column-store.ts';

/** What a site's store is made with; there is one once a sync has begun. */
export interface SiteStore {
  readonly backend: VectorBackend;
  readonly embedder: string;
  /** Fixed by the first vector; null before. */
  readonly dimensions: number | null;
  /** How texts were cut when they were last synced as a whole. */
  readonly recipe: string;
  readonly created_at: string;
}

export const findSiteStore = async (sql: Knex, blogId: number): Promise<SiteStore | null> =>
  (await sql('rag_stores')
    .where('blog_id', blogId)
    .first('backend', 'embedder', 'dimensions', 'recipe', 'created_at')) ?? null;

/** Makes the site's store, or says by what it is made from now on. */
export async function putSiteStore(
  trx: Knex.Transaction,
  blogId: number,
  store: Omit<SiteStore, 'created_at'>,
): Promise<void> {
  await trx('rag_stores')
    .insert({ blog_id: blogId, ...store })
    .onConflict('blog_id')
    .merge(['backend', 'embedder', 'dimensions', 'recipe']);
}

/** The first vector says how long they all are; false when they are of another length already. */
export async function fixDimensions(
  trx: Knex.Transaction,
  blogId: number,
  embedder: string,
  dimensions: number,
): Promise<boolean> {
  const changed = await trx('rag_stores')
    .where({ blog_id: blogId, embedder })
    .where((or) => or.whereNull('dimensions').orWhere('dimensions', dimensions))
    .update({ dimensions });
  return changed > 0;
}
