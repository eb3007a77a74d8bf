import { isCoded, Postponed } from '@lyceum/core';
import { Tutor, type TutorAnswer } from '@lyceum/module/ai';
import type { Failure } from '../errors.ts';
import { questionIn } from '../inbound/telegram-update.ts';
import { conversationOf, countFailure, insertReply, type NewReply, setState } from '../reply-store.ts';
import { wordsOf } from '../words.ts';
import type { Work } from './work.ts';

/** Seconds to the second, third and fourth time that the tutor is asked. */
const pauses: readonly number[] = [1, 5, 30];

/** Makes what is said to a message and stores it, so that nobody is asked for it again. */
export async function makeReply(work: Work): Promise<void> {
  const { job, message } = work;
  const reply = await replyTo(work);
  await job.step(async (trx) => {
    await insertReply(trx, message, reply);
    return { phase: 'sending' };
  });
}

async function replyTo(work: Work): Promise<NewReply> {
  const { bot, message, siteLang } = work;
  const words = wordsOf(bot, siteLang);
  const own = { conversationId: null, error: null };
  if (message.wanted === 'greeting') return { ...own, text: words.greeting };
  if (message.wanted !== 'answer') return { ...own, text: words.fallback_text };
  try {
    const answer = await ask(work);
    return { text: withSources(answer), conversationId: answer.conversation_id, error: null };
  } catch (error) {
    work.job.signal.throwIfAborted();
    if (!isCoded(error)) throw error;
    return { ...own, text: words.fallback_text, error: await giveUp(work, failureOf(error)) };
  }
}

/** The failure, when it was the last one. @throws Postponed before */
async function giveUp({ job, message }: Work, failure: Failure): Promise<Failure> {
  const seconds = pauses[message.failures];
  if (seconds === undefined) return failure;
  await job.step(async (trx) => {
    await countFailure(trx, message.id, 'asking');
    return { message: failure.code };
  });
  throw new Postponed('The tutor has no answer.', seconds);
}

const failureOf = ({ code, ownMessage }: { code: string; ownMessage: string | undefined }): Failure => ({
  code,
  message: ownMessage ?? 'The tutor has no answer.',
});

async function ask({ job, db, message, bot }: Work): Promise<TutorAnswer> {
  await job.step(async (trx) => {
    await setState(trx, message.id, 'answering');
    return { phase: 'answering' };
  });
  const conversationId = await conversationOf(db, message.chat_id);
  const asked = {
    blogId: message.blog_id,
    messageId: message.uuid,
    message: bot.kind === 'messenger' ? questionIn(message.text) : message.text,
    lang: bot.configuration.lang,
    source: 'bot' as const,
  };
  const tutor = job.get(Tutor);
  try {
    return await tutor.answer({ ...asked, conversationId }, job.signal);
  } catch (error) {
    // Conversations that nobody goes on with are forgotten: this one begins anew.
    if (conversationId === null || !isCoded(error, 'ai_conversation_not_found')) throw error;
    return await tutor.answer({ ...asked, conversationId: null }, job.signal);
  }
}

/** The answer as plain text: the sources that its markers name stand in lines of their own below. */
function withSources({ answer, citations }: TutorAnswer): string {
  const lines = citations.map(({ n, title, url }) => {
    const named = [title, url].filter((text) => text !== '').join(' — ');
    return `[${n}] ${named.replaceAll(/\s+/g, ' ')}`;
  });
  return lines.length === 0 ? answer : `${answer}\n\n${lines.join('\n')}`;
}
