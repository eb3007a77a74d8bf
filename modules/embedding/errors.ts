import type { ErrorTable } from '@lyceum/core';

export const errors: ErrorTable = {
  embedding_store_unavailable: { status: 503, message: 'Retrieval is off on this site.' },
  embedding_busy: { status: 409, message: 'A sync of this site is under way.' },
  embedding_not_configured: { status: 400, message: 'The provider has no address.' },
  embedding_provider_unreachable: { status: 502, message: 'The provider cannot be reached.' },
  embedding_provider_rejected: {
    status: 502,
    message: 'The provider refuses the key, the model or the address.',
  },
  embedding_dimension_mismatch: {
    status: 502,
    message: 'The provider gives vectors of another length than the store holds. Sync with mode "full".',
  },
  embedding_limit: { status: 409, message: 'The site would have more chunks than it may have.' },
};
