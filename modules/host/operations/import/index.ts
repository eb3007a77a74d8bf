import type { Operation } from '@lyceum/core';
import { startImport } from './start-import.ts';

export const operations: readonly Operation[] = [startImport];
