import type { ErrorTable } from '@lyceum/core';

export const errors = {
  edit_conflict: { status: 409, message: 'The record was changed meanwhile. Read it again.' },
} as const satisfies ErrorTable;
