import { defineJob, fail } from '@lyceum/core';

/** A job that steps, notes and finishes; or refuses, or ends its worker, as its payload says. */
export const count = defineJob<{ readonly note: string }>({
  id: 'test_cell.count',
  title: 'Counts',
  errors: ['cell_refused'],
  run: async (job) => {
    if (job.payload.note === 'refuse') fail('cell_refused');
    if (job.payload.note === 'exit' && job.cursor() === null) {
      await job.step(async () => ({ cursor: 1 }));
      process.exit(1);
    }
    await job.step(async (trx) => {
      await trx('test_cell_notes').insert({ blog_id: job.site.blog_id, note: `job ${job.payload.note}` });
      return { phase: 'one', current: 1, total: 2, cursor: 5 };
    });
    await job.note('warning', 'half', { limit: await job.setting('limit') });
    return job.finish(async (trx) => {
      const [row] = (await trx('test_cell_notes').count({ notes: '*' })) as { notes: number }[];
      return { cursor: job.cursor<number>(), notes: Number(row?.notes) };
    });
  },
});
