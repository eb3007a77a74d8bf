import type { ErrorTable } from '@lyceum/core';

export const errors = {
  too_many_application_passwords: {
    status: 409,
    message: 'You have 50 application passwords; revoke one first.',
  },
  application_password_not_found: { status: 404, message: 'Application password not found.' },
} as const satisfies ErrorTable;
