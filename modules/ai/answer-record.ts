import { time, yup } from '@lyceum/core';
import type { Citation, TutorAnswer } from './conversation/conversation.ts';

export const CitationRecord = yup.object({
  n: yup.number().integer().required(),
  id_chunk: yup.number().integer().required(),
  id_post: yup.number().integer().required(),
  title: yup.string().defined(),
  url: yup.string().defined(),
  heading_path: yup.array().of(yup.string().defined()).required(),
  quote: yup.string().defined(),
  score: yup.number().required(),
});

/** An answer as clients see it, whole or at the end of a stream. */
export const AnswerRecord = yup.object({
  conversation_id: yup.string().required(),
  message_id: yup.string().required(),
  answer: yup.string().defined(),
  no_answer: yup.boolean().required(),
  citations: yup.array().of(CitationRecord.required()).required(),
  provider: yup.string().required(),
  model: yup.string().defined().nullable(),
  usage: yup
    .object({
      prompt_tokens: yup.number().integer().required(),
      completion_tokens: yup.number().integer().required(),
    })
    .nullable()
    .defined(),
  created_at: time().required(),
});

/** The same with the fields in the order of the record, and no others. */
export const presentCitation = (citation: Citation): Citation => ({
  n: citation.n,
  id_chunk: citation.id_chunk,
  id_post: citation.id_post,
  title: citation.title,
  url: citation.url,
  heading_path: citation.heading_path,
  quote: citation.quote,
  score: citation.score,
});

/** The answer with its fields in the order of the record, and no others. */
export const presentAnswer = (answer: TutorAnswer): TutorAnswer => ({
  conversation_id: answer.conversation_id,
  message_id: answer.message_id,
  answer: answer.answer,
  no_answer: answer.no_answer,
  citations: answer.citations.map(presentCitation),
  provider: answer.provider,
  model: answer.model,
  usage: answer.usage,
  created_at: answer.created_at,
});
