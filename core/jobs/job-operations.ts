import { page, reply, stream } from '../api/answers.ts';
import { type Call, callerOf } from '../api/call.ts';
import { fail } from '../api/errors.ts';
import { type Access, defineOperation, type Operation } from '../api/operation.ts';
import { id, maxId, pageQuery, word, yup } from '../api/schema.ts';
import { eventStream } from './event-stream.ts';
import { JobEvent, JobRecord, type JobRow, presentJob } from './job-record.ts';
import { Jobs } from './jobs.ts';

/** A collection of jobs in one namespace. */
export interface JobCollection {
  /** Id of the module that owns the operations. */
  readonly module: string;
  /** `svc/site-manager/v1` */
  readonly namespace: string;
  /** Types that the collection shows: exact, or prefixes ending in `.`; empty shows all. */
  readonly types: readonly string[];
  readonly access: Access;
  /** True when the published contract names the reading routes. */
  readonly contract: boolean;
  /** True where `manage_network` also lists everybody's jobs (`all`, `blog_id`). */
  readonly listsAll: boolean;
  /**
   * Only jobs of the current site, and each of them to everybody who may use the operations, whoever caused it. Any
   * other is unknown.
   */
  readonly ofSite?: boolean;
}

/** Every code that a job route of the collection may answer; they stand in the host's table. */
const readErrors = ({ ofSite }: JobCollection): readonly string[] =>
  ofSite ? ['job_not_found'] : ['job_not_found', 'job_not_in_network', 'forbidden'];

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The same four routes for every module with jobs: list, one (with long-poll), its events, cancel. */
export function jobOperations(collection: JobCollection): readonly Operation[] {
  return [listJobs(collection), getJob(collection), listEvents(collection), cancelJob(collection)];
}

const shows = ({ types }: JobCollection, type: string): boolean =>
  types.length === 0 ||
  types.some((shown) => (shown.endsWith('.') ? type.startsWith(shown) : type === shown));

/** The job, if the collection has it and the caller may see it. */
async function visible(collection: JobCollection, call: Call, jobId: string): Promise<JobRow> {
  const row = uuidForm.test(jobId) ? await call.get(Jobs).find(jobId) : null;
  if (!row || !shows(collection, row.type)) return fail('job_not_found');
  if (collection.ofSite) return row.blog_id === call.site.blog_id ? row : fail('job_not_found');
  if (row.network_id !== call.site.network_id) fail('job_not_in_network');
  if (row.user_id !== callerOf(call).id && !call.can('manage_network')) fail('forbidden');
  return row;
}

const listJobs = (collection: JobCollection): Operation =>
  defineOperation({
    id: `${collection.module}.list-jobs`,
    method: 'GET',
    path: `${collection.namespace}/jobs`,
    summary: "The caller's own jobs, newest first",
    contract: collection.contract,
    access: collection.access,
    input: {
      query: yup.object({
        ...pageQuery(),
        status: yup
          .array()
          .of(word('pending', 'running', 'completed', 'failed', 'cancelled').required())
          .max(5),
        type: yup.string().max(100),
        ...(collection.listsAll ? { all: yup.boolean().default(false), blog_id: id() } : {}),
      }),
    },
    paged: true,
    output: yup.array().of(JobRecord).required(),
    handle: async ({ query }, call) => {
      const { all, blog_id: blogId } = query as { all?: boolean; blog_id?: number };
      const everybody = collection.listsAll && (all === true || blogId !== undefined);
      if (everybody && !call.can('manage_network')) fail('rest_forbidden');
      const asked = query.type;
      if (asked !== undefined && !asked.endsWith('.') && !shows(collection, asked)) return page([], 0);
      const narrow = asked !== undefined && collection.types.some((shown) => asked.startsWith(shown));
      const { rows, total } = await call.get(Jobs).list(
        {
          networkId: call.site.network_id,
          userId: everybody ? null : callerOf(call).id,
          blogId: collection.ofSite ? call.site.blog_id : (blogId ?? null),
          statuses: query.status ?? [],
          types:
            asked !== undefined && (narrow || collection.types.length === 0) ? [asked] : collection.types,
        },
        query.per_page,
        (query.page - 1) * query.per_page,
      );
      return page(rows.map(presentJob), total);
    },
  });

const jobPath = yup.object({
  job_id: yup
    .string()
    .required()
    .meta({ jsonSchema: { type: 'string', format: 'uuid' } }),
});

const getJob = (collection: JobCollection): Operation =>
  defineOperation({
    id: `${collection.module}.get-job`,
    method: 'GET',
    path: `${collection.namespace}/jobs/{job_id}`,
    summary: 'One job, at once or at its next change',
    description:
      'With `wait` the answer comes at the first change after the request, or after so many seconds.',
    contract: collection.contract,
    access: collection.access,
    input: {
      params: jobPath,
      query: yup.object({ wait: yup.number().integer().min(0).max(30).default(0) }),
    },
    output: JobRecord,
    errors: readErrors(collection),
    // The longest wait, and what it takes to answer.
    timeoutMs: 60_000,
    handle: async ({ params, query }, call) => {
      const look = (): Promise<JobRow> => visible(collection, call, params.job_id);
      const row =
        query.wait === 0
          ? await look()
          : await call.get(Jobs).wait(params.job_id.toLowerCase(), query.wait, call.signal, look);
      return reply(presentJob(row ?? fail('job_not_found')), { headers: { 'Cache-Control': 'no-store' } });
    },
  });

const listEvents = (collection: JobCollection): Operation =>
  defineOperation({
    id: `${collection.module}.list-job-events`,
    method: 'GET',
    path: `${collection.namespace}/jobs/{job_id}/events`,
    summary: 'What a job did, oldest first; live with Accept: text/event-stream',
    contract: collection.contract,
    access: collection.access,
    input: {
      params: jobPath,
      query: yup.object({
        after: yup.number().integer().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
        per_page: yup.number().integer().min(1).max(500).default(100),
      }),
    },
    output: yup.array().of(JobEvent).required(),
    errors: readErrors(collection),
    handle: async ({ params, query }, call) => {
      const row = await visible(collection, call, params.job_id);
      if (!call.header('accept').includes('text/event-stream')) {
        return call.get(Jobs).events(row.job_id, query.after, query.per_page);
      }
      const last = Number(call.header('last-event-id'));
      const after = Number.isInteger(last) && last > query.after && last <= maxId ? last : query.after;
      return stream(eventStream(call.get(Jobs), row.job_id, after, call.signal), 'text/event-stream', {
        'Cache-Control': 'no-store',
      });
    },
  });

const cancelJob = (collection: JobCollection): Operation =>
  defineOperation({
    id: `${collection.module}.cancel-job`,
    method: 'POST',
    path: `${collection.namespace}/jobs/{job_id}/cancel`,
    summary: 'Ask for the end of a job',
    access: collection.access,
    input: { params: jobPath },
    output: JobRecord,
    errors: [...readErrors(collection), 'job_not_cancellable'],
    handle: async ({ params }, call) => {
      const row = await visible(collection, call, params.job_id);
      if (row.status === 'cancelled') return presentJob(row);
      if (!row.cancellable) fail('job_not_cancellable');
      const asked = await call.get(Jobs).cancel(row.job_id);
      if (asked) return presentJob(asked);
      const ended = await call.get(Jobs).find(row.job_id);
      return ended?.status === 'cancelled' ? presentJob(ended) : fail('job_not_cancellable');
    },
  });
