import type { JobStatus } from '../api/job.ts';
import { record, time, word, yup } from '../api/schema.ts';

/** A job's row; `percent`, `current`, `total` are shown as `progress`. */
export interface JobRow {
  readonly job_id: string;
  readonly type: string;
  readonly module: string;
  readonly lane: 'quick' | 'long' | 'mail' | 'calls';
  readonly status: JobStatus;
  readonly phase: string;
  readonly percent: number;
  readonly current: number;
  readonly total: number;
  readonly message: string;
  readonly user_id: number | null;
  readonly network_id: number;
  readonly blog_id: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly cancellable: boolean;
  readonly cancel_requested: boolean;
  readonly parked: boolean;
  /** Jobs of one gate pass it a few at a time; null: they take their turn by site. */
  readonly gate: string | null;
  readonly gate_limit: number | null;
  /** Stands before its gate. */
  readonly waits: boolean;
  /** The ticket by which it waits or runs; any other one that names it is an old one. */
  readonly ticket: string | null;
  readonly run_token: string | null;
  readonly losses: number;
  readonly tries: number;
  readonly cursor: unknown;
  readonly created_at: string;
  readonly updated_at: string;
  readonly completed_at: string | null;
}

/**
 * What a statement returns of a row. Named one by one: a prepared `*` fails in every process that is up when a later
 * version adds a column.
 */
export const jobColumns = `job_id, type, module, lane, status, phase, percent, current, total, message, user_id,
  network_id, blog_id, payload, result, error, cancellable, cancel_requested, parked, gate, gate_limit, waits,
  ticket, run_token, losses, tries, cursor, created_at, updated_at, completed_at`;

const Progress = yup.object({
  percent: yup.number().integer().required(),
  current: yup.number().integer().required(),
  total: yup.number().integer().required(),
});

/** A job as clients see it. */
export const JobRecord = yup.object({
  job_id: yup.string().uuid().required(),
  type: yup.string().required(),
  status: word('pending', 'running', 'completed', 'failed', 'cancelled').required(),
  phase: yup.string().defined(),
  progress: Progress.required(),
  message: yup.string().defined(),
  user_id: yup.number().integer().nullable().defined(),
  network_id: yup.number().integer().required(),
  payload: record().required(),
  result: record().nullable().defined(),
  error: yup.object({ code: yup.string().required(), message: yup.string().defined() }).nullable().defined(),
  created_at: time().required(),
  updated_at: time().required(),
  completed_at: time().nullable().defined(),
});

export const progressOf = ({ percent, current, total }: JobRow) => ({ percent, current, total });

/** A job as clients see it. */
export const presentJob = (row: JobRow) => ({ ...row, progress: progressOf(row) });

export interface JobEventRow {
  readonly id: number;
  readonly job_id: string;
  readonly at: string;
  readonly level: string;
  readonly phase: string;
  readonly message: string;
  readonly progress: Readonly<Record<string, unknown>>;
  readonly data: unknown;
}

export const JobEvent = yup.object({
  id: yup.number().integer().required(),
  job_id: yup.string().required(),
  at: time().required(),
  level: word('info', 'warning', 'error').required(),
  phase: yup.string().defined(),
  message: yup.string().defined(),
  progress: Progress.required(),
  data: record().nullable().defined(),
});

export const isTerminal = (status: JobStatus): boolean => status !== 'pending' && status !== 'running';
