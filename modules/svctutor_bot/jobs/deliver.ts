import { fail, Postponed, RecordWatch } from '@lyceum/core';
import { findAnyBot } from '../bot-store.ts';
import type { Failure } from '../errors.ts';
import { type Reply, topicOf } from '../message.ts';
import { countFailure, countPart, endFailed, setState } from '../reply-store.ts';
import { SendProblem } from '../sending/send-problem.ts';
import { Sender } from '../sending/sender.ts';
import type { Work } from './work.ts';

/** Seconds to the second and further tries of a part: five within ten minutes. */
const pauses: readonly number[] = [5, 25, 120, 420];

/** Hands the answer over, from the part on that is not with the platform yet, and ends the job. */
export async function deliver(work: Work, reply: Reply): Promise<{ state: string }> {
  const { job, db, message } = work;
  const sender = job.get(Sender);
  const parts = sender.partsOf(work.bot, reply.text);
  for (let part = message.parts_sent; part < parts.length; part += 1) {
    job.signal.throwIfAborted();
    const bot = await findAnyBot(db, message.bot_id);
    if (bot?.enabled === false) return end(work, disabled);
    const failures = part === message.parts_sent ? message.failures : 0;
    try {
      // Not ended by the job's signal: what is on its way may arrive, and then it is to be known.
      await sender.send(work.site, bot ?? work.bot, { message, reply, part, text: parts[part] ?? '' });
    } catch (error) {
      if (!(error instanceof SendProblem)) throw error;
      await notSent(work, error, failures);
    }
    await countPart(db.knex, message.id, part);
  }
  return job.finish(async (trx) => {
    await setState(trx, message.id, 'sent');
    await job.get(RecordWatch).tell(trx, topicOf(message.id));
    return { state: 'sent' };
  });
}

const disabled: Failure = {
  code: 'svctutor_bot_disabled',
  message: 'The bot was switched off before all was sent.',
};

/** @throws Postponed while there are tries left, else the failure of the job */
async function notSent(work: Work, problem: SendProblem, failures: number): Promise<never> {
  const { job, db, message } = work;
  await countFailure(db.knex, message.id, 'sending');
  const pause = pauses[failures];
  if (problem.mayPass && pause !== undefined) {
    throw new Postponed('The platform did not take it.', problem.retryAfter ?? pause);
  }
  job.log.warn({ message_id: message.id, told: problem.message }, 'an answer was not sent');
  return end(work, { code: 'svctutor_bot_send_failed', message: problem.message });
}

/** Ends message and job alike. */
async function end({ job, message }: Work, failure: Failure): Promise<never> {
  await job.step(async (trx) => {
    await endFailed(trx, message.id, failure);
    await job.get(RecordWatch).tell(trx, topicOf(message.id));
    return { message: failure.code };
  });
  return fail(failure.code, { message: failure.message });
}
