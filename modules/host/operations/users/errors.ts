import type { ErrorTable } from '@lyceum/core';

export const errors = {
  last_super_admin: { status: 409, message: 'A network must keep one super admin.' },
  user_self_delete: { status: 400, message: 'You cannot delete yourself.' },
} as const satisfies ErrorTable;
