import type { Actor, JobRun, SiteState } from '@lyceum/core';
import type { Knex } from 'knex';
import type { ImportMapStore } from './import-map-store.ts';
import type { ImportPayload } from './import-payload.ts';
import type { ImportProgress } from './import-progress.ts';
import type { Survey } from './survey.ts';
import type { Tally } from './tally.ts';
import type { WxrItem, WxrRecord } from './wxr-record.ts';

/** What every phase of an import works with. */
export interface ImportContext {
  readonly job: JobRun<ImportPayload>;
  readonly payload: ImportPayload;
  readonly progress: ImportProgress;
  readonly tally: Tally;
  readonly actor: Actor;
  /** The site as it was when this run began. */
  readonly site: SiteState;
  readonly survey: Survey;
  readonly map: ImportMapStore;
  /** For what is only read, outside of steps. */
  readonly sql: Knex;
  /** The records of the file, from its beginning. */
  records(): AsyncIterable<WxrRecord>;
  /** Whether an item comes in. */
  takes(item: WxrItem): boolean;
}
