export const statuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type EncodeStatus = (typeof statuses)[number];

export const isActive = (status: EncodeStatus): boolean => status === 'pending' || status === 'running';

/** Kinds of work: each is a job of the host. */
export const jobTypes = {
  encode: 'media_converter.encode',
  stills: 'media_converter.stills',
  thumbnails: 'media_converter.thumbnails',
  pack: 'media_converter.pack',
} as const;
export type JobType = (typeof jobTypes)[keyof typeof jobTypes];

/** Formats of one attachment that were asked for together. */
export interface QueueEntry {
  readonly id: number;
  readonly queue_key: string;
  readonly blog_id: number;
  readonly attachment_id: number;
  readonly user_id: number;
  readonly status: EncodeStatus;
  readonly percent: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly completed_at: string | null;
}

/** One of them. */
export interface QueueFormat {
  readonly id: number;
  readonly entry_id: number;
  readonly blog_id: number;
  readonly attachment_id: number;
  readonly job_type: JobType;
  readonly format: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly status: EncodeStatus;
  readonly percent: number;
  /** Times real time. */
  readonly speed: number | null;
  readonly eta_seconds: number | null;
  readonly bytes: number | null;
  /** Of its file, below the site's `/files/`. */
  readonly path: string | null;
  readonly attempts: number;
  /** Workers that were lost while they made it. */
  readonly losses: number;
  readonly job_id: string | null;
  readonly run_id: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
}

/** What an entry is, from its formats. */
export function entryStatus(formats: readonly QueueFormat[]): EncodeStatus {
  const has = (status: EncodeStatus): boolean => formats.some((format) => format.status === status);
  if (has('pending') || has('running')) {
    return formats.some(({ started_at }) => started_at !== null) ? 'running' : 'pending';
  }
  if (has('failed')) return 'failed';
  return has('completed') ? 'completed' : 'cancelled';
}

/** The mean of its formats. */
export function entryPercent(formats: readonly QueueFormat[]): number {
  if (formats.length === 0) return 0;
  return Math.floor(formats.reduce((sum, { percent }) => sum + percent, 0) / formats.length);
}

/** Clients wait for an entry by this. */
export const topicOf = (queueKey: string): string => `media_converter.entry:${queueKey}`;
