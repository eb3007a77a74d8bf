import type { Database, JobRun, SiteState } from '@lyceum/core';
import type { Bot } from '../bot.ts';
import type { Message } from '../message.ts';

export interface ReplyPayload {
  readonly message_id: number;
}

/** A message that is worked on. */
export interface Work {
  readonly job: JobRun<ReplyPayload>;
  readonly db: Database;
  readonly message: Message;
  readonly bot: Bot;
  readonly site: SiteState;
  readonly siteLang: string;
}
