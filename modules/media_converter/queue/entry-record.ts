import { Addresses, type Call, Database, FileLinks, time, word, yup } from '@lyceum/core';
import { entryPercent, entryStatus, type QueueEntry, type QueueFormat, statuses } from './entry.ts';
import { MediaQueue } from './media-queue.ts';

const Failure = yup.object({ code: yup.string().required(), message: yup.string().defined() });

/** An entry of the queue as clients see it. */
export const EntryRecord = yup.object({
  queue_key: yup.string().uuid().required(),
  blog_id: yup.number().integer().required(),
  attachment_id: yup.number().integer().required(),
  attachment_title: yup.string().defined(),
  user_id: yup.number().integer().required(),
  status: word(...statuses).required(),
  percent: yup.number().integer().required(),
  position: yup.number().integer().nullable().defined(),
  paused: yup.boolean().required(),
  formats: yup
    .array()
    .of(
      yup.object({
        format: yup.string().required(),
        status: word(...statuses).required(),
        percent: yup.number().integer().required(),
        speed: yup.number().nullable().defined(),
        eta_seconds: yup.number().nullable().defined(),
        bytes: yup.number().integer().nullable().defined(),
        url: yup.string().defined(),
        attempts: yup.number().integer().required(),
        error: Failure.nullable().defined(),
        started_at: time().nullable().defined(),
        completed_at: time().nullable().defined(),
      }),
    )
    .required(),
  error: Failure.nullable().defined(),
  created_at: time().required(),
  updated_at: time().required(),
  completed_at: time().nullable().defined(),
});

/** What an answer to whoever asks for formats says. */
export const Enqueued = yup.object({
  attachment_id: yup.number().integer().required(),
  queue_key: yup.string().uuid().required(),
  formats: yup.array().of(yup.string().required()).required(),
  status: word('pending').required(),
  poll_url: yup.string().required(),
});

export const enqueued = (call: Call, attachmentId: number, queueKey: string, formats: readonly string[]) => ({
  attachment_id: attachmentId,
  queue_key: queueKey,
  formats: [...formats],
  status: 'pending' as const,
  poll_url: call.get(Addresses).route(call.site, `svc/media-converter/v1/queue/${queueKey}`),
});

/** Entries with their formats: a fixed number of queries. */
export async function presentEntries(call: Call, entries: readonly QueueEntry[]) {
  const { knex } = call.get(Database);
  const { store } = call.get(MediaQueue);
  const waiting = entries.filter(({ status }) => status === 'pending').map(({ id }) => id);
  const [formats, titles, positions, paused] = await Promise.all([
    store.formatsOf(
      knex,
      entries.map(({ id }) => id),
    ),
    store.titles(
      knex,
      entries.map(({ attachment_id }) => attachment_id),
    ),
    store.positions(knex, call.site.blog_id, waiting),
    store.isPaused(knex, call.site.blog_id),
  ]);
  return entries.map((entry) => {
    const own = formats.filter(({ entry_id }) => entry_id === entry.id);
    return {
      ...entry,
      // As of the formats that are shown: one may have begun since the entry was read.
      status: own.length > 0 ? entryStatus(own) : entry.status,
      percent: own.length > 0 ? entryPercent(own) : entry.percent,
      attachment_title: titles.get(entry.attachment_id) ?? '',
      position: positions.get(entry.id) ?? null,
      paused,
      formats: own.map((format) => presentFormat(call, format)),
      error: own.find(({ error }) => error !== null)?.error ?? null,
    };
  });
}

const presentFormat = (call: Call, format: QueueFormat) => ({
  ...format,
  url: format.path === null ? '' : call.get(FileLinks).plain(call.site, format.path),
});
