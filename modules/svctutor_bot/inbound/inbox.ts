import { type Database, fail, isForeignKeyViolation, type Jobs, type SiteRef } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Bot } from '../bot.ts';
import type { Arrival } from '../message.ts';
import {
  closeChat,
  findByExternalId,
  holdChat,
  insertArrival,
  isTooFast,
  type Known,
  noteJob,
} from './inbox-store.ts';

export const replyJob = 'svctutor_bot.reply';

/** Whose message it is, and how many of a minute are answered. */
export interface Receiver {
  readonly bot: Bot;
  readonly site: SiteRef;
  readonly perMinute: number;
}

/** What became of an event: it is there now, or was before. */
export type Received = { readonly isNew: true; readonly id: number; readonly isIgnored: boolean } | Again;

interface Again {
  readonly isNew: false;
  readonly known: Known;
}

/** Takes in what platforms tell, each thing once, and sends a job where something is to be said. */
export class Inbox {
  readonly #db: Database;
  readonly #jobs: Jobs;

  constructor(db: Database, jobs: Jobs) {
    this.#db = db;
    this.#jobs = jobs;
  }

  /** @throws `svctutor_bot_not_found` where the bot was deleted a moment ago */
  async receive(receiver: Receiver, arrival: Arrival): Promise<Received> {
    try {
      const stored = await this.#db.transaction((trx) => this.#store(trx, receiver, arrival));
      if (stored) return stored;
    } catch (error) {
      if (isForeignKeyViolation(error)) return fail('svctutor_bot_not_found');
      throw error;
    }
    const known = await findByExternalId(this.#db.knex, receiver.bot, arrival.externalId);
    return known ? { isNew: false, known } : fail('svctutor_bot_not_found');
  }

  async #store(
    trx: Knex.Transaction,
    { bot, site, perMinute }: Receiver,
    arrival: Arrival,
  ): Promise<Received | null> {
    const { chat } = arrival;
    // Before the message gets its number: numbers, jobs and answers of a chat are in one order.
    const chatId = chat === '' ? null : await holdChat(trx, bot, chat);
    const isFlood = arrival.wanted !== null && (await isTooFast(trx, bot, chat, perMinute));
    const kept: Arrival = isFlood ? { ...arrival, wanted: null } : arrival;
    const id = await insertArrival(trx, bot, chatId, kept);
    if (id === null) return null;
    if (arrival.closes && chatId !== null) await closeChat(trx, chatId);
    if (kept.wanted !== null) {
      const job = await this.#jobs.enqueue(trx, {
        type: replyJob,
        payload: { message_id: id },
        site,
        userId: null,
        startAfterSeconds: 0,
        // One after another in a chat, and none waits for another chat.
        gate: { name: `svctutor_bot ${bot.id} ${chat}`, limit: 1 },
      });
      await noteJob(trx, id, job.job_id);
    }
    return { isNew: true, id, isIgnored: kept.wanted === null };
  }
}
