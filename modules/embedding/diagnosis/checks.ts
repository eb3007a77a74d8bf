/** What is well and what is not, in one line each. */
export interface Check {
  readonly id: string;
  readonly ok: boolean;
  readonly message: string;
}

/** What the checks are made of. */
export interface Findings {
  readonly retrievalOn: boolean;
  readonly storeExists: boolean;
  readonly backend: 'pgvector' | 'sql' | null;
  readonly configured: boolean;
  readonly reachable: boolean | null;
  readonly storeDimensions: number | null;
  readonly providerDimensions: number | null;
  readonly brokenChunks: number;
  readonly waitingChunks: number;
  readonly changedPosts: number;
  readonly stale: boolean;
}

/** Every check, always, in one order. */
export function checksOf(found: Findings): Check[] {
  const { storeDimensions, providerDimensions } = found;
  const sameLength =
    storeDimensions === null || providerDimensions === null || storeDimensions === providerDimensions;
  const upToDate = found.storeExists && !found.stale && found.changedPosts === 0 && found.waitingChunks === 0;
  return [
    check('retrieval_on', found.retrievalOn, 'Retrieval is on.', 'The module rag is off on this site.'),
    check('store_exists', found.storeExists, 'The site has a store.', 'The site was never synced.'),
    check(
      'pgvector',
      found.backend === 'pgvector',
      'Vectors are compared by pgvector.',
      'The database has no pgvector: large sites are searched more slowly.',
    ),
    check('provider_configured', found.configured, 'The provider is set up.', 'The provider is not set up.'),
    check(
      'provider_reachable',
      found.reachable !== false,
      found.reachable === null ? 'The provider was not asked.' : 'The provider answers.',
      'The provider does not answer as it should.',
    ),
    check(
      'dimensions_match',
      sameLength,
      'Vectors have one length.',
      `The store has vectors of ${storeDimensions}, the provider gives ${providerDimensions}.`,
    ),
    check(
      'no_error_chunks',
      found.brokenChunks === 0,
      'No chunk failed.',
      `${found.brokenChunks} chunks could not be embedded.`,
    ),
    check('up_to_date', upToDate, 'All texts are in the store.', 'A sync is due.'),
  ];
}

const check = (id: string, ok: boolean, well: string, ill: string): Check => ({
  id,
  ok,
  message: ok ? well : ill,
});
