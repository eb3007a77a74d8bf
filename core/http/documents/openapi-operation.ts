import { STATUS_CODES } from 'node:http';
import type { ErrorRow } from '../../api/errors.ts';
import { outputSchemaOf } from '../json-schema.ts';
import { accessInWords, securityOf } from './access-words.ts';
import type { DescribedOperation } from './described-operation.ts';
import { errorExamples, errorResponses } from './error-responses.ts';
import type { InputField } from './input-fields.ts';

type Json = Record<string, unknown>;

const optional = (key: string, value: unknown): Json => (value === undefined ? {} : { [key]: value });

function parameter(
  place: 'path' | 'query',
  { name, required, schema }: InputField,
  bracketed: boolean,
): Json {
  const { description, ...rest } = schema;
  const nests = bracketed && (rest.type === 'object' || rest.type === 'array');
  return {
    name,
    in: place,
    required,
    ...optional('description', description),
    // A list is comma-separated, unless its members have names of their own.
    ...(place === 'query' && schema.type === 'array' && !nests ? { style: 'form', explode: false } : {}),
    ...(nests ? { style: 'deepObject', explode: true } : {}),
    schema: rest,
  };
}

function requestBody({ compiled, body }: DescribedOperation): Json | undefined {
  if (body.length === 0) return undefined;
  const required = body.filter((field) => field.required).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(body.map((field) => [field.name, field.schema])),
    ...(required.length > 0 ? { required } : {}),
  };
  const { multipart, example } = compiled.operation;
  const types = multipart ? ['multipart/form-data'] : [];
  if (!multipart || multipart.orJson) types.push('application/json');
  if (compiled.operation.bracketed) types.push('application/x-www-form-urlencoded');
  const shown = multipart && example?.body ? { [multipart.file]: '(bytes)', ...example.body } : example?.body;
  return {
    required: required.length > 0,
    content: Object.fromEntries(types.map((type) => [type, { schema, ...optional('example', shown) }])),
  };
}

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

/** Headers that an operation's success carries beside those of every answer. */
function successHeaders({ compiled }: DescribedOperation): Json {
  return {
    ...(compiled.operation.paged
      ? { 'X-Svc-Total': header('Total'), 'X-Svc-TotalPages': header('TotalPages'), Link: header('Link') }
      : {}),
    ...(compiled.status === 201 ? { Location: header('Location') } : {}),
  };
}

function success(described: DescribedOperation): Json {
  const { operation, status } = described.compiled;
  const headers = successHeaders(described);
  const { output, streams, example } = operation;
  const json = output && { schema: outputSchemaOf(output), ...optional('example', example?.answer) };
  const shown = {
    ...(json ? { 'application/json': json } : {}),
    ...(streams ? { [streams]: { schema: { type: 'string' } } } : {}),
  };
  return {
    description: STATUS_CODES[status] ?? 'Success',
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(output || streams ? { content: shown } : {}),
  };
}

/** The operation object of OpenAPI 3.1. `single`: the installation has one site only. */
export function openapiOperation(
  described: DescribedOperation,
  rows: ReadonlyMap<string, ErrorRow>,
  single: boolean,
): Json {
  const { operation, module, status, methods } = described.compiled;
  const access = accessInWords(operation.access, single);
  const others = methods.filter((method) => method !== operation.method && method !== 'HEAD');
  const parameters = [
    ...described.path.map((field) => parameter('path', field, false)),
    ...described.query.map((field) => parameter('query', field, operation.bracketed ?? false)),
  ];
  const paragraphs = [
    operation.description,
    `Access: ${access}.`,
    others.length > 0 ? `Accepts ${others.join(' and ')} too.` : undefined,
  ];
  return {
    operationId: operation.id,
    summary: operation.summary ?? operation.id,
    description: paragraphs.filter((text) => text !== undefined).join('\n\n'),
    tags: [module.id],
    security: securityOf(operation.access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...optional('requestBody', requestBody(described)),
    responses: {
      [String(status)]: success(described),
      ...errorResponses(errorExamples(described, rows)),
    },
    'x-module': module.id,
    ...(described.extension ? { 'x-extension': true } : {}),
    'x-access': access,
    ...(others.length > 0 ? { 'x-also-methods': others } : {}),
  };
}
