import {
  Addresses,
  accepted,
  audit,
  type Call,
  callerOf,
  Database,
  defineOperation,
  fail,
  JobRecord,
  Jobs,
  lockUntilCommit,
  presentJob,
  SettingsService,
  word,
  yup,
} from '@lyceum/core';
import { runningSync } from '../posts/sync-job-store.ts';
import { isConfigured, readWish } from '../site-wish.ts';

const namespace = 'svctutor/embedding/v1';

export const startSync = defineOperation({
  id: 'embedding.start-sync',
  method: 'POST',
  path: `${namespace}/sync`,
  summary: 'Bring chunks and vectors of the site up to date, as a job',
  description:
    'Without `post_ids` all posts that are to be found, and what has no place any more is removed. With `mode` `full` every vector is made anew.',
  access: { can: 'manage_options' },
  contract: true,
  input: {
    body: yup.object({
      post_ids: yup.array().of(yup.number().integer().required()).min(1).max(1_000),
      mode: word('changed', 'full').default('changed'),
    }),
  },
  success: 202,
  output: JobRecord,
  errors: ['embedding_store_unavailable', 'embedding_busy', 'embedding_not_configured'],
  example: { body: { mode: 'changed' } },
  handle: async ({ body }, call) => {
    if (!call.state.isOn('rag')) fail('embedding_store_unavailable');
    if (!isConfigured(readWish(call.get(SettingsService), call.state))) fail('embedding_not_configured');
    const postIds = body.post_ids ? [...new Set(body.post_ids)] : null;
    const job = await enqueue(call, postIds, body.mode);
    return accepted(presentJob(job), call.get(Addresses).route(call.site, `${namespace}/jobs/${job.job_id}`));
  },
});

const enqueue = (call: Call, postIds: readonly number[] | null, mode: 'changed' | 'full') =>
  call.get(Database).transaction(async (trx) => {
    const { blog_id } = call.site;
    await lockUntilCommit(trx, `embedding.sync ${blog_id}`);
    const running = await runningSync(trx, blog_id);
    if (running !== null) fail('embedding_busy', { data: { job_id: running } });
    const job = await call.get(Jobs).enqueue(trx, {
      type: 'embedding.sync',
      payload: { post_ids: postIds, mode },
      site: call.site,
      userId: callerOf(call).id,
      startAfterSeconds: 0,
    });
    await audit(trx, call, {
      module: 'embedding',
      action: 'embedding.sync',
      subject: `job:${job.job_id}`,
      to: { job_id: job.job_id, mode, posts: postIds?.length ?? null },
    });
    return job;
  });
