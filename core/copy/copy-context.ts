import type { Knex } from 'knex';
import type { JobRun } from '../api/job.ts';
import type { MetaKeys } from '../content/meta-keys.ts';
import type { PostWriter } from '../content/post-writer.ts';
import type { SiteRecord } from '../content/sites/site-record.ts';
import type { Database } from '../db/database.ts';
import type { Storage } from '../files/storage.ts';
import type { Address, Addresses } from '../http/addresses.ts';
import type { InstalledModules } from '../registry/spec.ts';
import type { CopyState } from './copy-state.ts';
import type { CopyFlags, CopyPayload } from './copy-wish.ts';
import type { NamePatterns } from './name-patterns.ts';
import type { TablePlan } from './table-plan.ts';

/** What the engine is made of. */
export interface CopyServices {
  readonly db: Database;
  readonly storage: Storage;
  readonly addresses: Addresses;
  readonly modules: InstalledModules;
  readonly metaKeys: MetaKeys;
  readonly writer: PostWriter;
}

/** What the phases of one copy work with. */
export interface CopyContext extends CopyServices {
  readonly job: JobRun<CopyPayload>;
  /** As it is when this run begins. */
  readonly source: SiteRecord;
  readonly target: Address & { readonly blog_id: number; readonly network_id: number };
  readonly flags: CopyFlags;
  /** Administrator of the copy. */
  readonly userId: number;
  readonly excludeOptions: NamePatterns;
  readonly excludeMeta: NamePatterns;
  /** Tables of modules in the order in which they are copied. Read once for each run. */
  readonly tables: readonly TablePlan[];
  /** One batch: its work, and the state that it leaves, in one transaction. */
  step(work: (trx: Knex.Transaction) => Promise<CopyState>): Promise<CopyState>;
}

/** Does one part of a phase, of one batch or several; the state afterwards. */
export type CopyPhaseRun = (copy: CopyContext, state: CopyState) => Promise<CopyState>;
