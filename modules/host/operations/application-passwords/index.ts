import type { Operation } from '@lyceum/core';

export const operations: readonly Operation[] = [];
