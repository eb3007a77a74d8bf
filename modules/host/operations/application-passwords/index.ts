import type { Operation } from '@lyceum/core';
import { createApplicationPassword } from './create-application-password.ts';
import { listApplicationPasswords } from './list-application-passwords.ts';
import { revokeApplicationPassword } from './revoke-application-password.ts';

export const operations: readonly Operation[] = [
  listApplicationPasswords,
  createApplicationPassword,
  revokeApplicationPassword,
];
