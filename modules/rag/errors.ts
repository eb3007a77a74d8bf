import type { ErrorTable } from '@lyceum/core';

export const errors: ErrorTable = {
  rag_search_timeout: {
    status: 503,
    message: 'The search took longer than 10 s. Search for something rarer.',
  },
};
