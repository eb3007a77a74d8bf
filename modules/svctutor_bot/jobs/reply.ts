import { Database, defineJob, type JobRun, RecordWatch, SettingsService, State } from '@lyceum/core';
import { findAnyBot } from '../bot-store.ts';
import { topicOf } from '../message.ts';
import { endFailed, findMessage, findReply } from '../reply-store.ts';
import { makeReply } from './answer.ts';
import { deliver } from './deliver.ts';
import type { ReplyPayload, Work } from './work.ts';

const isOver = (state: string): boolean => ['sent', 'failed', 'ignored'].includes(state);

async function workOf(job: JobRun<ReplyPayload>): Promise<Work | null> {
  const db = job.get(Database);
  const message = await findMessage(db.knex, job.payload.message_id);
  const bot = message && (await findAnyBot(db, message.bot_id));
  const site = await job.get(State).read(job.site.blog_id);
  const host = site?.modules.get('host')?.spec;
  if (!message || !bot || !site || !host || isOver(message.state)) return null;
  const siteLang = String(job.get(SettingsService).value(host, 'default_lang', site));
  return { job, db, message, bot, site, siteLang };
}

/** Says to one message what is to be said. It goes on where it stopped: an answer is made once, a part is sent once. */
export const reply = defineJob<ReplyPayload>({
  id: 'svctutor_bot.reply',
  title: 'Answer a message to a bot',
  lane: 'calls',
  errors: ['svctutor_bot_send_failed', 'svctutor_bot_disabled'],
  run: async (job) => {
    const begun = await workOf(job);
    if (!begun) return { state: null };
    const { db, message } = begun;
    if ((await findReply(db.knex, message.id)) === null) await makeReply(begun);
    const work = await workOf(job);
    const made = work && (await findReply(db.knex, message.id));
    return work && made ? deliver(work, made) : { state: null };
  },
  undo: async (job) => {
    const { message_id } = job.payload;
    await job.get(Database).transaction(async (trx) => {
      await endFailed(trx, message_id, { code: 'internal_error', message: 'The answer could not be made.' });
      await job.get(RecordWatch).tell(trx, topicOf(message_id));
    });
  },
});
