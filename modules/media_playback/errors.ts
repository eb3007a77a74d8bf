import type { ErrorTable } from '@lyceum/core';

export const errors = {
} as const satisfies ErrorTable;
