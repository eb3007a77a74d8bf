import { defineJob, type Job } from '../api/job.ts';
import type { CopyPayload } from './copy-wish.ts';
import type { CopyAudit } from './finish-copy.ts';
import { SiteCopies } from './site-copies.ts';

/** A job of a module that makes copies of sites. */
export interface SiteCopyJob {
  /** `<module>.<name>` */
  readonly id: string;
  readonly title: string;
  /** The module whose settings rule over copies; see `CopyBeginning`. */
  readonly rules: string;
  /** The audit row of a finished copy. */
  readonly audit: CopyAudit;
}

/** Declares such a job; `SiteCopies.begin` enqueues it. */
export const siteCopyJob = ({ id, title, rules, audit }: SiteCopyJob): Job =>
  defineJob<CopyPayload>({
    id,
    title,
    run: (job) => job.get(SiteCopies).run(job, rules, audit),
    undo: (job) => job.get(SiteCopies).undo(job),
    withdraw: (job, { trx, get }) => get(SiteCopies).withdraw(trx, job),
  });
