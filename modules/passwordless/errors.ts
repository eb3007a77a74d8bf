import type { ErrorTable } from '@lyceum/core';

export const errors = {
  svcplatform_pin_ssl: { status: 400, message: 'A code may be used over an encrypted connection only.' },
  svcplatform_pin_missing: { status: 400, message: 'Login and code are required.' },
  svcplatform_pin_invalid: { status: 403, message: 'The code is wrong or no longer valid.' },
  svcplatform_pin_lock: { status: 429, message: 'Too many wrong codes. Try again later.' },
} as const satisfies ErrorTable;
