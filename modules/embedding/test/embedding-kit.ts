import { Jobs } from '@lyceum/core';
import { type Client, startTestHost, type TestHost, type TestHostOptions } from '@lyceum/core/testing';

/** A host that works, with this module and the store. */
export interface EmbeddingKit {
  readonly lyceum: TestHost;
  readonly admin: Client;
  /** Publishes a page; its id. */
  publish(title: string, content: string, more?: object): Promise<number>;
  /** Begins a sync and waits for its end. */
  sync(body?: object): Promise<FinishedJob>;
  /** Waits for the end of a job. */
  ended(jobId: string): Promise<FinishedJob>;
  /** Chunks of a post, or of all. */
  chunks(postId?: number): Promise<ChunkRow[]>;
  /** Settings of the module on the main site, as a client sets them. */
  settings(given: object, status?: number): Promise<void>;
  /** Waits until no job is left to run. */
  quiet(): Promise<void>;
}

export interface FinishedJob {
  readonly job_id: string;
  readonly status: string;
  readonly result: Record<string, number>;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface ChunkRow {
  readonly id_chunk: number;
  readonly id_post: number;
  readonly status: number;
  readonly content: string;
  readonly embedder: string | null;
  readonly error: string | null;
  readonly metadata: { readonly heading_path: readonly string[]; readonly title: string };
}

export const api = 'svctutor/embedding/v1';

export async function startEmbeddingKit(options: TestHostOptions = {}): Promise<EmbeddingKit> {
  const lyceum = await startTestHost({
    modules: ['rag', 'embedding', 'lms'],
    ...options,
    config: { workers: 'inline', ...options.config },
  });
  return kitOf(lyceum);
}

export async function kitOf(lyceum: TestHost): Promise<EmbeddingKit> {
  const admin = lyceum.as(await lyceum.make.admin());
  const { knex } = lyceum.host.db;
  const ended = async (jobId: string): Promise<FinishedJob> => {
    for (;;) {
      const { body } = await admin.get(`${api}/jobs/${jobId}?wait=20`).expect(200);
      if (['completed', 'failed', 'cancelled'].includes(body.status)) return body as FinishedJob;
    }
  };
  const kit: EmbeddingKit = {
    lyceum,
    admin,
    ended,
    publish: async (title, content, more = {}) => {
      const post = { type: 'page', status: 'publish', title, content, ...more };
      const { body } = await admin.post('svc/host/v1/posts', post).expect(201);
      return body.id as number;
    },
    sync: async (body = {}) => ended((await admin.post(`${api}/sync`, body).expect(202)).body.job_id),
    chunks: async (postId) => {
      const rows = knex('rag_chunks').orderBy('id_post').orderBy('position');
      if (postId !== undefined) rows.where('id_post', postId);
      return (await rows) as ChunkRow[];
    },
    settings: async (given, status = 200) => {
      await admin.patch('svc/modules/v1/modules/embedding/settings', { settings: given }).expect(status);
    },
    quiet: async () => {
      const jobs = lyceum.host.services.host(Jobs);
      for (;;) {
        const open = (await knex('jobs').whereNull('completed_at').first('job_id')) as
          | { job_id: string }
          | undefined;
        if (!open) return;
        await jobs.wait(open.job_id, 5, new AbortController().signal);
      }
    },
  };
  return kit;
}
