import type { JobRun } from '@lyceum/core';
import type { Knex } from 'knex';
import type { ImportPayload } from './import-payload.ts';
import { Tally, type TallyRecord } from './tally.ts';

/** In this order, each once. */
export const phases = ['read', 'users', 'terms', 'posts', 'attachments', 'link', 'finish'] as const;
export type Phase = (typeof phases)[number];

interface Cursor {
  readonly phase: Phase;
  /** What of the phase is done: a number that the phase itself understands. */
  readonly at: number;
  readonly tally: TallyRecord;
}

export interface Step {
  readonly phase: Phase;
  readonly at: number;
  readonly message: string;
  /** Items done and items in all; absent: as they were. */
  readonly current?: number;
  readonly total?: number;
}

/** How far an import is, kept by the job: a run that follows a lost one goes on there, and counts nothing twice. */
export class ImportProgress {
  readonly #job: JobRun<ImportPayload>;
  readonly #from: Cursor | null;
  readonly tally: Tally;

  constructor(job: JobRun<ImportPayload>) {
    this.#job = job;
    this.#from = job.cursor<Cursor>();
    this.tally = new Tally(this.#from?.tally ?? null);
  }

  /** What earlier runs did of a phase: 0 for nothing, infinity for all of it. */
  doneIn(phase: Phase): number {
    if (!this.#from) return 0;
    const ahead = phases.indexOf(this.#from.phase) - phases.indexOf(phase);
    return ahead > 0 ? Number.POSITIVE_INFINITY : ahead === 0 ? this.#from.at : 0;
  }

  /** One transaction: the work, what it counted, and how far that is. */
  step({ at, ...step }: Step, work: (trx: Knex.Transaction) => Promise<void>): Promise<void> {
    return this.#job.step(async (trx) => {
      await work(trx);
      const cursor: Cursor = { phase: step.phase, at, tally: this.tally.record() };
      return { ...step, cursor };
    });
  }

  /** A step that only says how far it is. */
  mark(step: Step): Promise<void> {
    return this.step(step, async () => undefined);
  }
}
