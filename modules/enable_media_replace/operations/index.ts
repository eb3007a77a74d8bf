import type { Operation } from '@lyceum/core';
import { getReplaceInfo } from './get-replace-info.ts';
import { replaceFile } from './replace-file.ts';

export const operations: readonly Operation[] = [getReplaceInfo, replaceFile];
