import { forgetSubmissions } from './forget-submissions.ts';
import { sweepFolders } from './sweep-folders.ts';

export const schedules = [sweepFolders, forgetSubmissions];
