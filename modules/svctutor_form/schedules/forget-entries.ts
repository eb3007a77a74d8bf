import { Database, defineSchedule, Posts, type ScheduleTools, SettingsService, State } from '@lyceum/core';
import { addToCount } from '../entries/entry-count-store.ts';
import { deleteExpired, formWithExpired, sitesWithEntries } from '../entries/expired-entry-store.ts';

const moduleId = 'svctutor_form';
const dayMs = 24 * 60 * 60 * 1000;

/** Entries that one transaction deletes, while nobody can hand in to their form. */
const batch = 500;

/** Deletes entries that are older than their site keeps them, where the module is on. */
export const forgetEntries = defineSchedule({
  id: 'svctutor_form.forget-entries',
  title: 'Delete entries of forms whose time is over',
  everySeconds: 3600,
  run: async (tools) => {
    const states = tools.get(State);
    const spec = states.modules.get(moduleId)?.spec;
    for (const blogId of await sitesWithEntries(tools.get(Database).knex)) {
      if (tools.signal.aborted) return;
      const state = await states.read(blogId);
      if (!spec || !state?.isOn(moduleId)) continue;
      const days = tools.get(SettingsService).value(spec, 'entries_retention_days', state) as number;
      if (days > 0) await forgetOfSite(tools, blogId, new Date(tools.now().getTime() - days * dayMs));
    }
  },
});

async function forgetOfSite(tools: ScheduleTools, blogId: number, before: Date): Promise<void> {
  const db = tools.get(Database);
  while (!tools.signal.aborted) {
    const formId = await formWithExpired(db.knex, blogId, before);
    if (formId === null) return;
    await db.transaction(async (trx) => {
      const form = await tools.get(Posts).lock(trx, blogId, formId);
      if (form) await addToCount(trx, form, -(await deleteExpired(trx, form.id, before, batch)));
    });
  }
}
