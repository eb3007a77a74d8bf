import type { Operation } from '@lyceum/core';
import { duplicateBatch } from './duplicate-batch.ts';
import { duplicatePost } from './duplicate-post.ts';

export const operations: readonly Operation[] = [duplicatePost, duplicateBatch];
