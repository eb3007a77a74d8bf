import { defineMigration } from '../../api/module.ts';

/** When a job passed its gate: the site that has waited longest since its last one is next. */
export const createGateTurns = defineMigration({
  id: '016-gate-turns',
  up: async (trx) => {
    await trx.raw(`
      alter table jobs add column passed_at timestamptz;
      create index jobs_gate_turns on jobs (gate, blog_id, passed_at desc) where passed_at is not null;
    `);
  },
});
