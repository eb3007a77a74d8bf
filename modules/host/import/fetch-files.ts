import { createHash } from 'node:crypto';
import { type FileHandle, rm } from 'node:fs/promises';
import {
  type Attachment,
  Attachments,
  isCoded,
  Outbound,
  OutboundError,
  State,
  type Uploader,
  UploadFolder,
} from '@lyceum/core';
import type { ImportContext } from './import-context.ts';
import type { ImportedPost } from './import-map-store.ts';

/** Files that are fetched at a time, each into a file of its own. */
const atOnce = 4;

/** A server that is silent for so long is given up; a large file may take longer as a whole. */
const silenceMs = 10_000;
const timeoutMs = 300_000;

/** Fetches the files of the attachments that wait for theirs. What fails is a warning; the record stays without. */
export async function fetchFiles(context: ImportContext): Promise<void> {
  const { job, map, progress, payload } = context;
  const done = progress.doneIn('attachments');
  if (done === Number.POSITIVE_INFINITY) return;
  if (!payload.fetch_attachments || payload.dry_run) {
    await progress.mark({ phase: 'attachments', at: 0, message: 'Attachments keep their addresses.' });
    return;
  }
  let fetched = 0;
  for (let after = done; ; ) {
    const pending = await map.pending(context.sql, ['fetch'], after, atOnce);
    const problems = await Promise.all(pending.map((one) => fetchOne(context, one)));
    after = pending.at(-1)?.new_id ?? after;
    fetched += pending.length;
    job.signal.throwIfAborted();
    await progress.step(
      { phase: 'attachments', at: after, message: `Fetched ${fetched} files.` },
      async (trx) => {
        await map.done(
          trx,
          pending.map(({ new_id }) => new_id),
          'fetch',
        );
        for (const [index, { old_id }] of pending.entries()) {
          const problem = problems[index];
          if (problem) context.tally.warnings.add('attachment_not_fetched', problem, `attachment:${old_id}`);
        }
      },
    );
    if (pending.length === 0) return;
  }
}

/** Why the file is not there; null when it is. */
async function fetchOne(context: ImportContext, { new_id }: ImportedPost): Promise<string | null> {
  const { job, actor } = context;
  const attachments = job.get(Attachments);
  const attachment = await attachments.find(actor.site.blog_id, new_id);
  // An earlier run got as far as this and no further.
  if (!attachment || attachment.path !== null) return null;
  const state = await job.get(State).read(actor.site.blog_id);
  if (!state) throw new Error('The site of the job is gone.');
  const uploader = { ...actor, state, signal: job.signal };
  const local = await job.get(UploadFolder).create();
  try {
    const received = await download(context, uploader, attachment, local.file);
    const file = { ...received, path: local.path, name: attachment.filename };
    await attachments.fill(uploader, new_id, file);
    return null;
  } catch (error) {
    if (job.signal.aborted) throw error;
    if (error instanceof OutboundError || error instanceof Refused) return error.message;
    if (isCoded(error) && error.code !== 'storage_unavailable') return `The file was refused: ${error.code}.`;
    throw error;
  } finally {
    await rm(local.path, { force: true });
  }
}

class Refused extends Error {}

async function download(
  { job }: ImportContext,
  { state, signal }: Uploader,
  { source_url }: Attachment,
  file: FileHandle,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const maxBytes = await job.setting<number>('max_upload_bytes');
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const asked = { url: source_url ?? '', timeoutMs, silenceMs, maxBytes, signal };
    const answer = await job.get(Outbound).open(state, asked);
    if (answer.status !== 200) throw new Refused(`The server answered ${answer.status}.`);
    for await (const chunk of answer.body) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  if (bytes === 0) throw new Refused('The file is empty.');
  return { bytes, sha256: hash.digest('hex') };
}
