import {
  type Call,
  defineOperation,
  ErrorMapper,
  invalidParams,
  isPlainObject,
  judged,
  record,
  yup,
} from '@lyceum/core';
import { acts } from '../batch-acts.ts';
import { type Results, resolveReferences } from '../batch-references.ts';
import { common, longTimeoutMs, missing, namespace } from '../operation-parts.ts';

const mostItems = 100;
const mostBytes = 20 * 1024 * 1024;

const text = { type: 'string' };
/** An id, or where to find it among the results of earlier items. */
const reference = { type: ['integer', 'string'] };

const itemSchema = {
  type: 'object',
  required: ['op'],
  properties: {
    op: { type: 'string', enum: Object.keys(acts) },
    ...{
      id: reference,
      package_id: reference,
      page_id: reference,
      parent_id: reference,
      section_id: reference,
    },
    ...{
      title: text,
      slug: text,
      html: text,
      entry: text,
      status: { type: 'string', enum: ['draft', 'publish'] },
    },
    path: { type: ['string', 'null'] },
    paths: { type: 'array', items: text },
  },
};

type Item = Readonly<Record<string, unknown>> & { readonly op: string };

const isItem = (given: unknown): given is Item =>
  isPlainObject(given) && typeof given.op === 'string' && Object.hasOwn(acts, given.op);

/** @throws `rest_invalid_param`: then nothing is run */
function itemsOf(given: unknown): readonly Item[] {
  if (given === undefined) return missing('operations');
  if (!Array.isArray(given) || given.length < 1 || given.length > mostItems) {
    return invalidParams({ operations: `must be a list of 1 to ${mostItems} operations` });
  }
  const wrong = given.findIndex((item) => !isItem(item));
  if (wrong >= 0) {
    invalidParams({ [`operations[${wrong}].op`]: `must be one of ${Object.keys(acts).join(', ')}` });
  }
  return given as Item[];
}

interface Result {
  readonly index: number;
  readonly op: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly error: { readonly code: string; readonly message: string; readonly data: unknown } | null;
}

async function runOne(call: Call, item: Item, index: number, results: Results): Promise<Result> {
  const { op } = item;
  try {
    const { status, body } = (await acts[op]?.(call, resolveReferences(item, results))) ?? {
      status: 404,
      body: null,
    };
    return { index, op, status, body, error: null };
  } catch (error) {
    // The end of the request ends all that is left.
    call.signal.throwIfAborted();
    const { status, body } = call.get(ErrorMapper).answer(error, call.requestId, call.log, null);
    return { index, op, status, body: null, error: body };
  }
}

export const runBatch = defineOperation({
  ...common,
  id: 'embed_packages.run-batch',
  method: 'POST',
  path: `${namespace}/batch`,
  summary: 'Do several things one after the other',
  description:
    'Each item is an operation of its own: one that fails does not stop the others. An item may name what an earlier one answered, as `"package_id": "$0.id"`.',
  maxBodyBytes: mostBytes,
  input: {
    body: yup.object({
      operations: judged(
        {
          type: 'array',
          minItems: 1,
          maxItems: mostItems,
          items: itemSchema,
        },
        { required: true },
      ),
    }),
  },
  output: yup.object({
    total: yup.number().integer().required(),
    processed: yup.number().integer().required(),
    succeeded: yup.number().integer().required(),
    failed: yup.number().integer().required(),
    results: yup
      .array()
      .of(
        yup.object({
          index: yup.number().integer().required(),
          op: yup.string().required(),
          status: yup.number().integer().required(),
          body: record().nullable().defined(),
          error: yup
            .object({
              code: yup.string().required(),
              message: yup.string().required(),
              data: record().nullable().defined(),
            })
            .nullable()
            .defined(),
        }),
      )
      .required(),
  }),
  timeoutMs: longTimeoutMs,
  example: {
    body: {
      operations: [
        { op: 'create', title: 'Fire exits', html: '<h1>Fire exits</h1>' },
        { op: 'bind', page_id: 12, package_id: '$0.id' },
      ],
    },
  },
  handle: async ({ body }, call) => {
    const items = itemsOf(body.operations);
    const results: Result[] = [];
    for (const [index, item] of items.entries()) {
      const earlier = results.map((result) => result.body);
      results.push(await runOne(call, item, index, earlier));
    }
    const failed = results.filter(({ error }) => error !== null).length;
    const total = items.length;
    return { total, processed: results.length, succeeded: total - failed, failed, results };
  },
});
