import type { Client } from '@lyceum/core/testing';

/** A job as the routes show it. */
export interface ShownJob {
  readonly job_id: string;
  readonly type: string;
  readonly status: string;
  readonly phase: string;
  readonly progress: { readonly percent: number; readonly current: number; readonly total: number };
  readonly payload: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: { readonly code: string } | null;
}

/** The job when it has ended. */
export async function endOfJob(client: Client, jobId: string): Promise<ShownJob> {
  for (;;) {
    const { body } = await client.get(`svc/site-manager/v1/jobs/${jobId}?wait=30`).expect(200);
    if (/^(completed|failed|cancelled)$/.test(body.status)) return body as ShownJob;
  }
}
