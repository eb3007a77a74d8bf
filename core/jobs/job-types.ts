import type { Job } from '../api/job.ts';
import type { Installed } from '../registry/installed.ts';
import { type InstalledModules, type ModuleSpec, specs } from '../registry/spec.ts';
import { meetingJobs } from './meet-sites.ts';

export interface JobType {
  readonly job: Job;
  readonly module: ModuleSpec;
}

/** Every declared job of the modules that load, by type. */
export class JobTypes {
  readonly #types: () => ReadonlyMap<string, JobType>;

  constructor(installed: Installed) {
    this.#types = installed.derive(declaredJobs);
  }

  /** Throws for a type that nobody declared: a mistake of the caller. */
  get(type: string): JobType {
    const found = this.#types().get(type);
    if (!found) throw new Error(`No module declares the job "${type}".`);
    return found;
  }

  /** Types whose pending jobs hold something that a cancel gives back. */
  withdrawing(): string[] {
    return [...this.#types().values()]
      .filter(({ job }) => job.withdraw !== undefined)
      .map(({ job }) => job.id);
  }

  find(type: string): JobType | null {
    return this.#types().get(type) ?? null;
  }
}

const declaredJobs = (modules: InstalledModules): ReadonlyMap<string, JobType> =>
  new Map(
    [...specs(modules)].flatMap((module) =>
      [...module.jobs, ...meetingJobs(module)].map((job) => [job.id, { job, module }]),
    ),
  );
