import type { Knex } from 'knex';
import type { VectorBackend } from './vector-column-store.ts';

/** What a site's store is made with; there is one once a sync has begun. */
export interface SiteStore {
  readonly backend: VectorBackend;
  /** The embedder as settings name it, before it gave its first vector. */
  readonly asked: string;
  /** The embedder as its vectors name it: what one id gave can be compared. */
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
    .first('backend', 'asked', 'embedder', 'dimensions', 'recipe', 'created_at')) ?? null;

/** Makes the site's store, or says by what it is made from now on. */
export async function putSiteStore(
  trx: Knex.Transaction,
  blogId: number,
  store: Omit<SiteStore, 'created_at'>,
): Promise<void> {
  await trx('rag_stores')
    .insert({ blog_id: blogId, ...store })
    .onConflict('blog_id')
    .merge(['backend', 'asked', 'embedder', 'dimensions', 'recipe']);
}

/** The first vector says how long they all are; false when they are of another length already. */
export async function fixDimensions(
  trx: Knex.Transaction,
  blogId: number,
  { asked, embedder, dimensions }: Pick<SiteStore, 'asked' | 'embedder'> & { readonly dimensions: number },
): Promise<boolean> {
  const changed = await trx('rag_stores')
    .where({ blog_id: blogId, asked })
    .where((or) => or.whereNull('dimensions').orWhere('dimensions', dimensions))
    .update({ embedder, dimensions });
  return changed > 0;
}
