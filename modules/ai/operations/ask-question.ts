import { randomUUID } from 'node:crypto';
import { type Call, canonicalTag, defineOperation, ErrorMapper, RateLimits, stream } from '@lyceum/core';
import { AnswerRecord, presentAnswer } from '../answer-record.ts';
import { answerStream } from '../answer-stream.ts';
import { chatSecret } from '../chat-secret.ts';
import type { Failure } from '../errors.ts';
import { cleanMessage } from '../question.ts';
import { questionFields } from '../question-fields.ts';
import { Tutor } from '../tutor.ts';

const mostBytes = 64 * 1024;

/** Longer than a question can take in all, with what comes before and after. */
const timeoutMs = 160_000;

const eventStream = 'text/event-stream';

const conversation_id = '0c1f8a52-5d0e-4c61-9f35-2c4f7a3b9e10';
const message_id = '6f0f2f0e-3a77-4d0c-8a55-0d6a1f6d2b11';

/** An error of an answer that is on its way already: the log gets what an error answer would have given it. */
function tell(call: Call, error: unknown): Failure {
  const { log } = call;
  const told = call.get(ErrorMapper).describe(error);
  const cause = error instanceof Error ? error.cause : undefined;
  if (error === call.signal.reason) log.debug('nobody waits for the answer');
  else if (told) log.warn({ err: cause, code: told.code }, 'an answer failed');
  else log.error({ err: error }, 'an answer failed');
  return told ?? { code: 'internal_error', message: 'Something went wrong.' };
}

export const askQuestion = defineOperation({
  id: 'ai.ask-question',
  method: 'POST',
  path: 'svctutor/ai/v1/chat',
  summary: 'An answer from the texts of the site, whole or as Server-Sent Events',
  description:
    'With `stream`, or with `Accept: text/event-stream`, the events are `start`, `delta` any number of times, ' +
    '`citations`, and `done` with the answer as it would be without streaming; a failure on the way ends them with ' +
    '`error`. The same `message_id` is answered once: asking again gives the stored answer.',
  access: { secret: chatSecret },
  contract: true,
  maxBodyBytes: mostBytes,
  timeoutMs,
  input: { body: questionFields },
  output: AnswerRecord,
  streams: eventStream,
  errors: [
    ...['rest_too_many_requests', 'ai_conversation_not_found', 'ai_conversation_busy', 'ai_message_conflict'],
    ...['ai_not_configured', 'ai_busy', 'ai_provider_error', 'ai_provider_timeout'],
  ],
  example: {
    body: { message: 'When does the library open?' },
    answer: {
      ...{ conversation_id, message_id, answer: 'The library opens at 9:00. [1]', no_answer: false },
      citations: [
        {
          ...{ n: 1, id_chunk: 12, id_post: 7, title: 'Library', url: 'https://lyceum.example/library/' },
          ...{ heading_path: [], quote: 'The library opens at 9:00.', score: 0.0325 },
        },
      ],
      ...{ provider: 'builtin', model: null, usage: null, created_at: '2026-03-05T11:07:00.000Z' },
    },
  },
  handle: async ({ body }, call) => {
    // Asked for before anything else, so that nobody who goes away is missed.
    const { signal } = call;
    const limit = call.setting<number>('rate_per_minute');
    const perSite = { name: 'ai-questions', points: limit, seconds: 60 };
    await call.get(RateLimits).count(perSite, String(call.site.blog_id));
    const wantsEvents = body.stream || call.header('accept').toLowerCase().includes(eventStream);
    const asked = {
      blogId: call.site.blog_id,
      conversationId: body.conversation_id?.toLowerCase() ?? null,
      messageId: body.message_id?.toLowerCase() ?? randomUUID(),
      message: cleanMessage(body.message),
      lang: body.lang === undefined ? null : canonicalTag(body.lang),
      source: 'rest' as const,
      most: body.top_k ?? null,
      postIds: body.post_ids ?? null,
      stream: wantsEvents,
      resumes: false,
    };
    const reply = await call.get(Tutor).begin(call.state, asked, signal);
    if (!wantsEvents) return presentAnswer(await reply.complete(() => undefined));
    return stream(
      answerStream(reply, (error) => tell(call, error)),
      eventStream,
      { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
    );
  },
});
