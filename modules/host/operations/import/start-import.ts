import { randomBytes } from 'node:crypto';
import {
  accepted,
  audit,
  type Call,
  callerOf,
  Database,
  defineOperation,
  fail,
  id,
  invalidParams,
  isCoded,
  isUniqueViolation,
  JobRecord,
  type JobRow,
  Jobs,
  presentJob,
  Storage,
  type UploadedFile,
  Users,
  yup,
} from '@lyceum/core';
import { type ImportPayload, importKey } from '../../import/import-payload.ts';
import { recordUrl } from '../record-url.ts';
import { mayManageUsers } from '../users/rights.ts';
import { readAuthorMap } from './read-author-map.ts';
import { findRunningImport } from './running-import-store.ts';

/** 2 GiB. */
const mostBytes = 2 * 1024 ** 3;

export const startImport = defineOperation({
  id: 'host.start-import',
  method: 'POST',
  path: 'svc/host/v1/import',
  summary: 'Import a WordPress export (WXR) into the site, as a job',
  description:
    'What was imported before is known by the address of the exported site, type and id, and is left as it is.',
  access: { can: 'manage_options' },
  site: 'selectable',
  multipart: { file: 'file', maxBytes: mostBytes },
  input: {
    body: yup.object({
      author_map: yup.string().max(1_000_000),
      default_author_id: id(),
      create_users: yup.boolean().default(false),
      fetch_attachments: yup.boolean().default(false),
      rewrite_urls: yup.boolean().default(true),
      dry_run: yup.boolean().default(false),
    }),
  },
  success: 202,
  output: JobRecord,
  errors: ['import_running'],
  // Storing 2 GiB on a slow disk takes minutes.
  timeoutMs: 300_000,
  example: { body: { author_map: '{"editor": 7}', rewrite_urls: true, dry_run: false } },
  handle: async ({ body, file }, call) => {
    if (file === null) throw new Error('A multipart operation got no file.');
    if (body.create_users && !mayManageUsers(call)) fail('rest_forbidden');
    const authorMap = readAuthorMap(body.author_map);
    const standard = body.default_author_id ?? callerOf(call).id;
    await checkUsers(call, authorMap, standard);
    const payload: ImportPayload = {
      upload: randomBytes(16).toString('hex'),
      file_name: file.name.slice(0, 200).toWellFormed(),
      bytes: file.bytes,
      site_url: call.site.url,
      author_map: authorMap,
      default_author_id: standard,
      create_users: body.create_users,
      fetch_attachments: body.fetch_attachments,
      rewrite_urls: body.rewrite_urls,
      dry_run: body.dry_run,
    };
    const job = await start(call, file, payload);
    return accepted(presentJob(job), recordUrl(call, `svc/host/v1/jobs/${job.job_id}`));
  },
});

async function checkUsers(
  call: Call,
  authorMap: ImportPayload['author_map'],
  standard: number,
): Promise<void> {
  const ids = [...new Set([...Object.values(authorMap), standard])].filter((one) => one !== call.user?.id);
  const known = await call.get(Users).known(call.get(Database).knex, call.site, ids);
  const unknown = ids.filter((one) => !known.has(one));
  if (unknown.includes(standard)) invalidParams({ default_author_id: 'must be a user of the network' });
  if (unknown.length === 0) return;
  invalidParams({ author_map: `has unknown users: ${unknown.slice(0, 20).join(', ')}` });
}

/** First the file is stored, then the job is enqueued; when that fails, the file goes again. */
async function start(call: Call, file: UploadedFile, payload: ImportPayload): Promise<JobRow> {
  await refuseSecond(call);
  const storage = call.get(Storage);
  const key = importKey(call.site.blog_id, payload);
  await store(call, file, key);
  try {
    return await enqueue(call, payload);
  } catch (error) {
    await storage.remove(key);
    // Of two at once the index lets one in.
    if (isUniqueViolation(error, 'jobs_one_import')) await refuseSecond(call);
    throw error;
  }
}

async function store(call: Call, file: UploadedFile, key: string): Promise<void> {
  const { signal } = call;
  try {
    await call.get(Storage).take(key, file, { contentType: 'application/xml', signal });
  } catch (error) {
    if (signal.aborted || isCoded(error)) throw error;
    fail('storage_unavailable', { cause: error });
  }
}

async function refuseSecond(call: Call): Promise<void> {
  const running = await findRunningImport(call.get(Database).knex, call.site.blog_id);
  if (running !== null) fail('import_running', { data: { job_id: running } });
}

const enqueue = (call: Call, payload: ImportPayload): Promise<JobRow> =>
  call.get(Database).transaction(async (trx) => {
    const { upload: _upload, author_map: _map, ...shown } = payload;
    const job = await call.get(Jobs).enqueue(trx, {
      type: 'host.import',
      payload: { ...payload },
      site: call.site,
      userId: callerOf(call).id,
      startAfterSeconds: 0,
    });
    await audit(trx, call, {
      module: 'host',
      action: 'host.import',
      subject: `job:${job.job_id}`,
      to: shown,
    });
    return job;
  });
