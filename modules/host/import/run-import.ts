import {
  type Actor,
  Database,
  type JobRun,
  PostTypes,
  type SiteState,
  State,
  Storage,
  TransientFailure,
  Users,
} from '@lyceum/core';
import { findAuthors } from './authors.ts';
import { fetchFiles } from './fetch-files.ts';
import type { ImportContext } from './import-context.ts';
import { ImportMapStore } from './import-map-store.ts';
import { type ImportPayload, importKey } from './import-payload.ts';
import { failBroken } from './import-problem.ts';
import { ImportProgress } from './import-progress.ts';
import { linkAll } from './link.ts';
import { importPosts } from './post-batches.ts';
import { attachmentType } from './posts.ts';
import { readWxr } from './read-wxr.ts';
import { type Survey, Surveyor } from './survey.ts';
import { ensureTerms } from './terms.ts';
import type { WxrItem, WxrRecord } from './wxr-record.ts';
import { xmlEvents } from './xml-events.ts';
import { xmlText } from './xml-text.ts';

/** Items between two signs of life while the file is read for the first time. */
const itemsPerSign = 5_000;

type Result = Readonly<Record<string, unknown>>;

/**
 * Brings an export into the job's site, phase by phase. The file is read twice: to know its authors, terms and
 * attachments, and to write its items as they come, so that memory does not grow with it. A run that follows a lost
 * one reads again what it must know and goes on behind the last recorded step.
 */
export async function runImport(job: JobRun<ImportPayload>): Promise<Result> {
  const progress = new ImportProgress(job);
  const site = await job.get(State).read(job.site.blog_id);
  if (!site) throw new Error('The site of the job is gone.');
  const takes = itemRule(job, site);
  const records = (): AsyncIterable<WxrRecord> => recordsOf(job);
  if (progress.doneIn('finish') === 0) {
    const survey = await readAll(job, progress, new Surveyor(takes), records());
    const context: ImportContext = {
      job,
      payload: job.payload,
      progress,
      tally: progress.tally,
      actor: await actorOf(job),
      site,
      survey,
      map: new ImportMapStore(job.site.blog_id, survey.base),
      sql: job.get(Database).knex,
      records,
      takes,
    };
    await write(context);
  }
  return { ...progress.tally.record(), dry_run: job.payload.dry_run };
}

async function write(context: ImportContext): Promise<void> {
  const { survey, progress, job } = context;
  const authors = await findAuthors(context);
  await ensureTerms(context);
  await importPosts(context, authors);
  await fetchFiles(context);
  await linkAll(context);
  if (survey.broken) {
    const { created, existing, skipped } = progress.tally.record();
    await job.note('info', 'What stands before the fault is there.', { created, existing, skipped });
    failBroken(survey.broken);
  }
  await progress.mark({ phase: 'finish', at: 1, message: 'Everything is there.' });
}

async function readAll(
  job: JobRun<ImportPayload>,
  progress: ImportProgress,
  surveyor: Surveyor,
  records: AsyncIterable<WxrRecord>,
): Promise<Survey> {
  const isFirst = progress.doneIn('read') !== Number.POSITIVE_INFINITY;
  const sign = (message: string, total: number) =>
    progress.mark({ phase: 'read', at: 0, message, current: 0, total });
  if (isFirst) await sign('Reading.', 0);
  const survey = await surveyor.read(records, async (items) => {
    job.signal.throwIfAborted();
    if (isFirst && items % itemsPerSign === 0) await sign(`Read ${items} items.`, 0);
  });
  progress.tally.comments(survey.comments);
  if (isFirst) await sign(`Read ${survey.items} items.`, survey.items);
  return survey;
}

/** Items of types that the site has come in, and attachments; drafts that nobody saved do not. */
function itemRule(job: JobRun<ImportPayload>, site: SiteState): (item: WxrItem) => boolean {
  const types = job.get(PostTypes);
  return ({ type, status }) =>
    status !== 'auto-draft' && (type === attachmentType || types.usable(type, site) !== null);
}

async function actorOf(job: JobRun<ImportPayload>): Promise<Actor> {
  const { knex } = job.get(Database);
  const user = job.userId === null ? null : await job.get(Users).find(knex, job.site, job.userId);
  return { site: job.site, user: user && { id: user.id, login: user.login }, ip: null, requestId: null };
}

/** Bytes that are read at a time: no connection to a storage waits for as long as an import may take. */
const pieceBytes = 8 * 1024 * 1024;

const recordsOf = (job: JobRun<ImportPayload>): AsyncIterable<WxrRecord> =>
  readWxr(xmlEvents(xmlText(bytesOf(job))));

async function* bytesOf(job: JobRun<ImportPayload>): AsyncGenerator<Buffer> {
  const key = importKey(job.site.blog_id, job.payload);
  for (let start = 0; start < job.payload.bytes; start += pieceBytes) {
    const file = await again(() => job.get(Storage).read(key, { start, end: start + pieceBytes - 1 }));
    if (!file) throw new Error('The file of the import is gone.');
    const chunks = (file.stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await again(() => chunks.next());
        if (next.done) break;
        job.signal.throwIfAborted();
        yield next.value;
      }
    } finally {
      file.stream.destroy();
    }
  }
}

/** A storage that fails now may not fail later. */
async function again<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new TransientFailure('The file could not be read.', { cause: error });
  }
}
