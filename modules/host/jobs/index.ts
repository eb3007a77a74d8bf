import { type Job, welcomeMailJob } from '@lyceum/core';
import { deleteFile } from './delete-file.ts';
import { importJob } from './import.ts';
import { publishJob } from './publish.ts';

export const jobs: readonly Job[] = [importJob, publishJob, welcomeMailJob, deleteFile];
