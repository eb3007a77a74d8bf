import { Database, defineSchedule, type ScheduleTools, SettingsService, State } from '@lyceum/core';
import { deleteIdleChats, deleteOld, sitesWithMessages } from '../message-list-store.ts';

const moduleId = 'svctutor_bot';
const dayMs = 24 * 60 * 60 * 1000;
const perDelete = 500;

/** Deletes messages that are older than their site keeps them, and chats that have none left. */
export const forgetMessages = defineSchedule({
  id: 'svctutor_bot.forget-messages',
  title: 'Delete messages of bots whose time is over',
  everySeconds: 3_600,
  run: async (tools) => {
    for (const blogId of await sitesWithMessages(tools.get(Database).knex)) {
      if (tools.signal.aborted) return;
      await forgetOfSite(tools, blogId);
    }
  },
});

async function forgetOfSite({ get, now, signal }: ScheduleTools, blogId: number): Promise<void> {
  const states = get(State);
  const spec = states.modules.get(moduleId)?.spec;
  const state = await states.read(blogId);
  if (!spec || !state) return;
  const days = get(SettingsService).value(spec, 'retention_days', state) as number;
  const before = new Date(now().getTime() - days * dayMs);
  const { knex } = get(Database);
  while (!signal.aborted && (await deleteOld(knex, blogId, before, perDelete)) === perDelete);
  if (!signal.aborted) await deleteIdleChats(knex, blogId, before);
}
