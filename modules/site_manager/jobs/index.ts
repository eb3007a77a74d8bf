import type { Job } from '@lyceum/core';
import { bulk } from './bulk.ts';
import { createFromSource } from './create-from-source.ts';
import { purge } from './purge.ts';
import { rewriteUrls } from './rewrite-urls.ts';

export const jobs: readonly Job[] = [bulk, createFromSource, purge, rewriteUrls];
