import type { ErrorTable } from '@lyceum/core';

export const errors = {
  rest_invalid_login: { status: 401, message: 'The login or the password is wrong.' },
} as const satisfies ErrorTable;
