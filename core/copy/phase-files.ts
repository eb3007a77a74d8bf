import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import {
  type Batch,
  type CopiedBatch,
  copyAssignments,
  copyAttachmentRows,
  dropAttachmentRows,
} from './copy-content-store.ts';
import type { CopyContext, CopyPhaseRun } from './copy-context.ts';
import { copyFile, type FileOutcome } from './copy-file.ts';
import { type FileToCopy, fileNow, filesToCopy, setFile } from './copy-files-store.ts';
import { type CopyState, mostSkippedNamed, nextPhase, type SkippedFile } from './copy-state.ts';
import { batchOf } from './phase-records.ts';

/** Files that are copied at once. */
const atOnce = 4;

/** Attachments first as records without a file, then file by file. */
export const copyFiles: CopyPhaseRun = (copy, state) =>
  state.part === 'files' ? copyNext(copy, state) : copyRecords(copy, state);

const copyRecords: CopyPhaseRun = (copy, state) =>
  copy.step(async (trx) => {
    const batch = batchOf(copy, state, 'attachment');
    const { copy_files: wanted } = copy.flags;
    const { rows, last } = wanted
      ? await copyAttachments(trx, copy, batch)
      : await dropAttachmentRows(trx, batch);
    if (last === null) return wanted ? { ...state, part: 'files', after: null } : nextPhase(state);
    if (!wanted) return { ...state, after: last };
    const { copied } = state;
    return { ...state, after: last, copied: { ...copied, attachments: copied.attachments + rows } };
  });

async function copyAttachments(trx: Knex.Transaction, copy: CopyContext, batch: Batch): Promise<CopiedBatch> {
  const done = await copyAttachmentRows(trx, batch);
  if (done.last !== null && copy.flags.copy_terms) await copyAssignments(trx, batch, 'attachment', done.last);
  return done;
}

/** The files first, then their rows: what a crash leaves is copied again under the same keys. */
const copyNext: CopyPhaseRun = async (copy, state) => {
  const files = await filesToCopy(copy.db.knex, copy.job.id, Number(state.after ?? 0), atOnce);
  if (files.length === 0) return copy.step(async () => ({ ...nextPhase(state), done: doneOf(state) }));
  const outcomes = await allEnded(files.map((file) => copyOne(copy, file)));
  let now = state;
  for (const { file, outcome } of outcomes) {
    now = await copy.step(async (trx) => {
      if (typeof outcome === 'object') await setFile(trx, file, keyFor(copy, file));
      return copiedFile(now, file.old_id, outcome);
    });
    if (typeof outcome === 'string') await tellSkipped(copy, file.old_id, outcome);
  }
  return now;
};

/** A file that is not there may have been replaced since its row was read: then it is the new one that is copied. */
async function copyOne(
  copy: CopyContext,
  file: FileToCopy,
): Promise<{ readonly file: FileToCopy; readonly outcome: FileOutcome }> {
  const outcome = await copyStored(copy, file);
  if (typeof outcome !== 'string') return { file, outcome };
  const now = await fileNow(copy.db.knex, file);
  return now && now.file_key !== file.file_key ? copyOne(copy, now) : { file, outcome };
}

const copyStored = (copy: CopyContext, file: FileToCopy): Promise<FileOutcome> =>
  copyFile(
    copy.storage,
    {
      from: file.file_key,
      to: keyFor(copy, file),
      contentType: file.mime_type,
      expected: { bytes: file.bytes, sha256: file.sha256 },
    },
    copy.job.signal,
  );

/** Made from the job and the attachment: the same whenever the file is copied again, and nobody can guess it. */
function keyFor({ job, target }: CopyContext, { old_id, file_key }: FileToCopy): string {
  const folder = createHash('sha256').update(`${job.id} ${old_id}`).digest('hex').slice(0, 32);
  return `sites/${target.blog_id}/media/${folder}/${file_key.split('/').at(-1)}`;
}

/** All attachments are done, those without a file too. */
const doneOf = ({ done, copied, skipped }: CopyState): number =>
  Math.max(done, done + copied.attachments - copied.mediaFiles - skipped.length);

function copiedFile(state: CopyState, oldId: number, outcome: FileOutcome): CopyState {
  const { copied } = state;
  const now = { ...state, after: oldId, done: state.done + 1 };
  if (typeof outcome === 'string') return withSkipped(now, { old_id: oldId, reason: outcome });
  const { files, mediaFiles, bytes } = copied;
  const more = { files: files + 1, mediaFiles: mediaFiles + 1, bytes: bytes + outcome.bytes };
  return { ...now, copied: { ...copied, ...more } };
}

export const withSkipped = (state: CopyState, file: SkippedFile): CopyState => ({
  ...state,
  skipped: state.skipped.length < mostSkippedNamed ? [...state.skipped, file] : state.skipped,
});

export const tellSkipped = (copy: CopyContext, oldId: number, reason: string): Promise<void> =>
  copy.job.note('warning', `A file of the source is ${reason}.`, { old_id: oldId, reason });

/** Waits for all of them, also when one fails: nothing may be written behind the back of a clean-up. */
export async function allEnded<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(promises);
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
