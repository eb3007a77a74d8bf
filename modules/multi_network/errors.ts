import type { ErrorTable } from '@lyceum/core';

export const errors = {
  missing_fields: { status: 400, message: 'Required fields are missing.' },
  multi_network_not_ready: { status: 503, message: 'No network can be created now.' },
  network_user: { status: 403, message: 'There is no such user to run the network.' },
  network_empty: { status: null, message: 'The domain is empty.' },
} as const satisfies ErrorTable;
