/** What a sync can fail with. */
export const syncErrors: readonly string[] = [
  'embedding_store_unavailable',
  'embedding_provider_unreachable',
  'embedding_provider_rejected',
  'embedding_dimension_mismatch',
  'embedding_limit',
];
