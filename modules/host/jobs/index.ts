import { type Job, welcomeMailJob } from '@lyceum/core';
import { importJob } from './import.ts';
import { publishJob } from './publish.ts';

export const jobs: readonly Job[] = [importJob, publishJob, welcomeMailJob];
