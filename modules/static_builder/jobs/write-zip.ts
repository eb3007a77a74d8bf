import type { Readable } from 'node:stream';
import { sanitizeSlug } from '@lyceum/core';
import { ZipFile } from 'yazl';
import type { Build } from '../build.ts';
import type { BuildFile } from '../file-store.ts';
import type { Work } from './work.ts';

/** Files whose rows are in memory at once; the zip itself keeps a name and some numbers of each. */
const batch = 500;

/** A zip of the same files is the same zip. */
const noTime = new Date(1980, 0, 1);
const entry = { mtime: noTime, mode: 0o100644, forceDosTimestamp: true };

const texts = /^text\/|^application\/(?:json|xml|javascript)$|\+xml$/;

/** Characters of the course's name in that of its zip. */
const longestSlug = 100;

/** `{slug}-v{version}-{api_type}.zip` */
export function zipName({ config }: Pick<Build, 'config'>): string {
  const slug = sanitizeSlug(config.course_name, longestSlug) || 'course';
  return `${slug}-v${config.version}-${config.api_type}.zip`;
}

/** Packs all files of the course, manifest first: texts are pressed, media are stored as they are. Returns its path. */
export async function writeZip(work: Work): Promise<string> {
  const { parts, sql, now, job, storage } = work;
  const path = zipName(work.build);
  if ((await parts.files.of(sql, now, [path])).has(path)) return path;
  const { files: total } = await parts.files.tally(sql, now);
  const zip = new ZipFile();
  const failure = new AbortController();
  zip.on('error', (error) => failure.abort(error));
  let packed = 0;
  let told = Promise.resolve();
  let reading: Readable | null = null;
  const openNext = async (file: BuildFile): Promise<Readable> => {
    packed += 1;
    if (packed % batch === 0)
      told = told.then(() => tell(packed)).catch((error: Error) => failure.abort(error));
    reading = await open(work, file);
    return reading;
  };
  for await (const file of inOrder(work)) {
    const options = { ...entry, compress: texts.test(file.mime_type), size: file.bytes };
    zip.addReadStreamLazy(file.path, options, (give) => {
      openNext(file).then(
        (stream) => give(null, stream),
        (error: unknown) => give(error, undefined as never),
      );
    });
  }
  zip.end();
  const signal = AbortSignal.any([job.signal, failure.signal]);
  const options = { limit: Number.MAX_SAFE_INTEGER, contentType: 'application/zip', signal };
  const packing = zip.outputStream as AsyncIterable<Uint8Array>;
  const stored = storage.write(work.key(), packing, options);
  // Where the zip ends early, somebody must close the file that was just being packed.
  const { key, bytes, sha256 } = await stored.finally(() => reading?.destroy());
  await told;
  const row = { path, kind: 'zip' as const, page_id: null, source: null, file_key: key, bytes, sha256 };
  await work.step({
    ...{ phase: 'zip', current: total, total },
    write: (trx) => work.addFiles(trx, [{ ...row, mime_type: 'application/zip' }]),
  });
  return path;

  function tell(current: number): Promise<void> {
    return work.step({ phase: 'zip', current, total });
  }
}

async function open({ storage, job }: Work, { file_key, path }: BuildFile): Promise<Readable> {
  job.signal.throwIfAborted();
  const file = file_key === null ? null : await storage.read(file_key);
  if (file === null) throw new Error(`The built file ${path} is missing.`);
  return file.stream;
}

/** The manifest, the schemas that belong to it, then all else by path. */
async function* inOrder({ parts, sql, now }: Work): AsyncIterable<BuildFile> {
  const manifests = await parts.files.manifests(sql, now);
  yield* manifests;
  const first = new Set(manifests.map(({ path }) => path));
  for (let after = ''; ; ) {
    const files = await parts.files.list(sql, now, after, batch);
    const last = files.at(-1);
    if (last === undefined) return;
    yield* files.filter(({ path }) => !first.has(path));
    after = last.path;
  }
}
