import { Clock, FileTooLarge, fail, type JobRun, type PagePlace, PageRenderer, Storage } from '@lyceum/core';
import type { Knex } from 'knex';
import { type Build, revisionFolder } from '../build.ts';
import { Builds, type BuildsParts } from '../builds.ts';
import { CourseAddresses } from '../collect/course-addresses.ts';
import type { BuildFile, RevisionRef } from '../file-store.ts';
import type { NewEntry } from '../log-store.ts';
import type { BuildSettings } from './build-settings.ts';

export interface BuildPayload {
  readonly blog_id: number;
  readonly build_id: number;
}

/** Phases of a run in their order, each with the share of the whole at which it begins. */
const begins = { pages: 0, media: 35, external: 60, manifest: 65, zip: 85, publish: 99 } as const;
export type Phase = keyof typeof begins;
const phases = Object.keys(begins) as Phase[];

/** Bytes of a text that is held whole while it is worked on: a style sheet. */
export const mostTextBytes = 5 * 1024 * 1024;

/** A file as it was stored. */
export type Stored = Awaited<ReturnType<Storage['write']>>;

/** What a step of a run says and writes. */
export interface Progress {
  readonly phase: Phase;
  readonly current: number;
  readonly total: number;
  readonly entries?: readonly NewEntry[];
  /** In the transaction of the step. */
  readonly write?: (trx: Knex.Transaction) => Promise<unknown>;
}

/** A run of a build that a worker has in hand. */
export class Work {
  readonly job: JobRun<BuildPayload>;
  readonly build: Build;
  readonly settings: BuildSettings;
  readonly place: PagePlace;
  readonly addresses: CourseAddresses;
  /** The revision that is being made. */
  readonly now: RevisionRef;
  /** The one that is published, whose files need not be made again; null for none. */
  readonly before: RevisionRef | null;
  readonly parts: BuildsParts;
  #bytes = 0;
  #keys = 0;

  private constructor(job: JobRun<BuildPayload>, build: Build, settings: BuildSettings, place: PagePlace) {
    this.job = job;
    this.build = build;
    this.settings = settings;
    this.place = place;
    this.addresses = new CourseAddresses(place.site.url);
    this.parts = job.get(Builds).parts;
    const { id, blog_id, revision, published_revision } = build;
    this.now = { id, blog_id, revision };
    this.before = published_revision === null ? null : { id, blog_id, revision: published_revision };
  }

  static async begin(job: JobRun<BuildPayload>, build: Build, settings: BuildSettings): Promise<Work> {
    const place = await job.get(PageRenderer).place(build.blog_id);
    if (!place) throw new Error('The site of the build is gone.');
    const work = new Work(job, build, settings, place);
    work.#bytes = (await work.parts.files.tally(work.sql, work.now)).bytes;
    return work;
  }

  get sql(): Knex {
    return this.parts.db.knex;
  }

  get isLive(): boolean {
    return this.build.config.export_mode === 'live';
  }

  get storage(): Storage {
    return this.job.get(Storage);
  }

  get clock(): Clock {
    return this.job.get(Clock);
  }

  /** One transaction: what is written, said and recorded. Throws when the run was stopped. */
  step({ phase, current, total, entries, write }: Progress): Promise<void> {
    const { store, logs } = this.parts;
    return this.job.step(async (trx) => {
      await write?.(trx);
      await logs.add(trx, this.build, entries ?? []);
      await store.progress(trx, this.build.id, { percent: shareOf(phase, current, total), current, total });
      await this.job.get(Builds).tell(trx, this.build.id);
      return { phase, current, total, message: `${phase} ${current} of ${total}` };
    });
  }

  /** Adds files of the run in a transaction. */
  addFiles(trx: Knex.Transaction, files: readonly BuildFile[]): Promise<void> {
    return this.parts.files.add(trx, this.now, files);
  }

  /** Counts bytes of the build. @throws `svclms_static_builder_too_large` */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.settings.maxBytes) fail('svclms_static_builder_too_large');
  }

  /** A key that nobody else writes, and this run only once. */
  key(): string {
    const { build } = this;
    this.#keys += 1;
    return `${revisionFolder(build, build.revision)}/${build.run_id ?? 'run'}/${this.#keys}`;
  }

  /**
   * Stores bytes of the build and counts them.
   * @throws `svclms_static_builder_too_large`, what `Storage.write` throws
   */
  async store(source: AsyncIterable<Uint8Array>, contentType: string): Promise<Stored> {
    const limit = this.settings.maxBytes - this.#bytes;
    try {
      const { signal } = this.job;
      const stored = await this.storage.write(this.key(), source, { limit, contentType, signal });
      this.count(stored.bytes);
      return stored;
    } catch (error) {
      if (error instanceof FileTooLarge) return fail('svclms_static_builder_too_large');
      throw error;
    }
  }

  /** Stores a text or bytes that are there. */
  storeWhole(content: string | Buffer, contentType: string): Promise<Stored> {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    return this.store(whole(bytes), contentType);
  }
}

async function* whole(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}

function shareOf(phase: Phase, current: number, total: number): number {
  const from = begins[phase];
  const next = phases[phases.indexOf(phase) + 1];
  const to = next === undefined ? 100 : begins[next];
  return from + (total > 0 ? (Math.min(current, total) / total) * (to - from) : 0);
}
