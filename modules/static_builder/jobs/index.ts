import type { Job } from '@lyceum/core';
import { build } from './build.ts';
import { clean } from './clean.ts';

export const jobs: readonly Job[] = [build, clean];
