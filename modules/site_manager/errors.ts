import type { ErrorTable } from '@lyceum/core';

export const errors = {
  main_site_forbidden: { status: 403, message: 'The main site cannot be hidden, archived or removed.' },
  main_site_slug_forbidden: { status: 403, message: 'The address of the main site cannot be changed.' },
} as const satisfies ErrorTable;
