import { STATUS_CODES } from 'node:http';
import type { ErrorRow } from '../../api/errors.ts';
import type { DescribedOperation } from './described-operation.ts';

type Json = Record<string, unknown>;

/** One code with one status: an example that operations share. */
export interface ErrorExample {
  /** Key among the shared examples. */
  readonly name: string;
  readonly code: string;
  readonly status: number;
  readonly row: ErrorRow;
}

/** The code that a caller without credentials gets too, then with 401. */
const forbidden = 'rest_forbidden';

/** What an operation may answer beside success. */
export function errorExamples(
  { compiled, codes }: DescribedOperation,
  rows: ReadonlyMap<string, ErrorRow>,
): ErrorExample[] {
  const { access } = compiled.operation;
  return codes.flatMap((code) => {
    const row = rows.get(code);
    if (!row) return [];
    const example: ErrorExample = { name: code, code, status: row.status ?? 500, row };
    const unproved: ErrorExample = { ...example, name: `${code}_401`, status: 401 };
    if (code !== forbidden || 'public' in access) return [example];
    return 'secret' in access && access.can === undefined ? [unproved] : [unproved, example];
  });
}

/** The shared example itself. A code listed without a status answers 500 with `data: null`. */
export function exampleObject({ code, status, row }: ErrorExample): Json {
  const data = row.status === null ? null : { status };
  return { summary: row.message, value: { code, message: row.message, data } };
}

/** The responses of an operation by status, each with its codes as examples. */
export function errorResponses(examples: readonly ErrorExample[]): Json {
  const byStatus = Map.groupBy(examples, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: STATUS_CODES[status] ?? 'Error',
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              group.map(({ name, code }) => [code, { $ref: `#/components/examples/${name}` }]),
            ),
          },
        },
      },
    ]),
  );
}

/** The error body of every failure. */
export const errorSchema = {
  type: 'object',
  description: 'Every failure. `code` is stable; `message` is for people.',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    data: {
      type: ['object', 'null'],
      properties: { status: { type: 'integer', description: 'The HTTP status.' } },
    },
  },
  required: ['code', 'message', 'data'],
} as const;
