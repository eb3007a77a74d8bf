import type { ApiType } from './course.ts';

/** All states of a build. */
export const statuses = [
  'new',
  'pending',
  'build',
  'rebuild',
  'building',
  'completed',
  'stopping',
  'stopped',
  'error',
] as const;
/** Where a build stands. */
export type BuildStatus = (typeof statuses)[number];

/** A worker is at it. */
export const workedStatuses = ['build', 'rebuild', 'building', 'stopping'] as const;
/** It may not be changed, deleted or run. */
export const activeStatuses = ['pending', ...workedStatuses] as const;
/** It may be run. */
export const restingStatuses = ['new', 'completed', 'error', 'stopped'] as const;

const isOneOf = (some: readonly BuildStatus[], status: BuildStatus): boolean => some.includes(status);

export const isActive = (status: BuildStatus): boolean => isOneOf(activeStatuses, status);
export const isTerminal = (status: BuildStatus): boolean =>
  isOneOf(['completed', 'error', 'stopped'], status);

export const exportModes = ['package', 'live'] as const;
export type ExportMode = (typeof exportModes)[number];

/** What a build is made by, as its author said it. */
export interface BuildConfig {
  readonly course_name: string;
  readonly api_type: ApiType;
  readonly course_id: string;
  readonly version: number;
  readonly course_comment: string;
  readonly export_mode: ExportMode;
}

/** A build as it is stored. */
export interface Build {
  readonly id: number;
  readonly blog_id: number;
  /** 0 for none. */
  readonly build_course_id: number;
  readonly config: BuildConfig;
  readonly page_ids: readonly number[];
  readonly status: BuildStatus;
  /** Rises with each run. */
  readonly revision: number;
  /** Whose files are served; null before the first that was finished. */
  readonly published_revision: number | null;
  /** Path of the zip of the published revision; null for none. */
  readonly published_zip: string | null;
  /** 32 hex digits: who knows them may read the files. */
  readonly token: string;
  /** The job of the last run. */
  readonly job_id: string | null;
  /** The worker that has it in hand. Still there when it is taken again: that worker was lost. */
  readonly run_id: string | null;
  readonly losses: number;
  /** What went wrong in a try after which there is another. */
  readonly trouble: string | null;
  readonly percent: number;
  readonly current: number;
  readonly total: number;
  readonly author_id: number;
  readonly created_at: string;
  /** When configuration or pages were last changed. */
  readonly configured_at: string;
  readonly modified_at: string;
}

/** Folder of the files of a build, in addresses and below the site's folder in the storage. */
export const folderOf = ({ id, token }: Pick<Build, 'id' | 'token'>): string => `${id}-${token}`;

/** First segment of the addresses below `/files/`. */
export const areaFolder = 'static-builds';

/** Prefix of keys in the storage of all files of a build. */
export const storageFolder = (build: Pick<Build, 'id' | 'token' | 'blog_id'>): string =>
  `sites/${build.blog_id}/${areaFolder}/${folderOf(build)}`;

/** Prefix of keys of the files that a run stores. */
export const revisionFolder = (build: Pick<Build, 'id' | 'token' | 'blog_id'>, revision: number): string =>
  `${storageFolder(build)}/${revision}`;

/** Who waits for a build is told by this topic. */
export const topicOf = (id: number): string => `static_builder.build:${id}`;
