import fc from 'fast-check';
import type { AnySchema } from 'yup';
import { type JsonSchema, jsonSchemaOf } from '../../core/http/json-schema.ts';
import type { CompiledOperation } from '../../core/http/route-table.ts';
import type { Asked } from './ask.ts';
import { fitting } from './fitting.ts';

const long = 'ж'.repeat(50_000);

/** Texts that broke somebody's parser, query, regular expression or template once. */
const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  '\u202E',
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1; drop table users; --",
  '../../../../etc/passwd',
  '%00',
  '%E0%A4%A',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'NaN',
  'null',
  'true',
  '-1',
  '0',
  '1e999',
  '2147483648',
  '99999999999999999999',
  '0x10',
  '1,2,,3',
  '2026-13-45T99:99:99Z',
  `${'a'.repeat(5_000)}!`,
  long,
];

const hostileValues: readonly unknown[] = [
  ...hostileTexts,
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  -0,
  [],
  [null],
  [[[]]],
  {},
  { toString: 1 },
  { constructor: { prototype: {} } },
  Array.from({ length: 2_000 }, (_member, at) => at),
];

const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 40 }));
const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileValues) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: text },
);

/** Bodies that are no JSON object, or not the kind that they claim to be. */
const brokenBodies: readonly { readonly body: string; readonly type: string }[] = [
  { body: '{', type: 'application/json' },
  { body: '{"a":1}}', type: 'application/json' },
  { body: '', type: 'application/json' },
  { body: 'null', type: 'application/json' },
  { body: '[1,2]', type: 'application/json' },
  { body: '"text"', type: 'application/json' },
  { body: '\uFEFF{}', type: 'application/json' },
  { body: '{"__proto__":{"polluted":true},"constructor":1}', type: 'application/json' },
  { body: '{"a":1,"a":2}', type: 'application/json; charset=utf-16' },
  { body: `${'['.repeat(20_000)}${']'.repeat(20_000)}`, type: 'application/json' },
  { body: `{"a":${'{"a":'.repeat(70)}1${'}'.repeat(71)}`, type: 'application/json' },
  { body: 'a=1&b=2', type: 'application/x-www-form-urlencoded' },
  { body: '<a/>', type: 'text/xml' },
  { body: '--x\r\ncontent-disposition: form-data; name="file"\r\n', type: 'multipart/form-data; boundary=x' },
  { body: 'nothing', type: 'multipart/form-data' },
  { body: '{}', type: '' },
];

type Fields = readonly { readonly name: string; readonly schema: JsonSchema }[];

const fieldsOf = (schema: AnySchema | undefined): Fields =>
  Object.entries((schema ? jsonSchemaOf(schema).properties : undefined) ?? {}).map(([name, field]) => ({
    name,
    schema: field as JsonSchema,
  }));

const other = (name: string): Fields[number] => ({ name, schema: {} });

/** What every operation is asked with beside its own fields. */
const strangers = {
  query: ['blog_id', 'page', 'per_page', '_fields', 'orderby', 'nobody_knows'].map(other),
  body: ['nobody_knows', '__proto__', 'id'].map(other),
};

/** Fields with values, in which none, one or all are wrong. */
function filled<T>(
  own: Fields,
  strange: Fields,
  hostile: fc.Arbitrary<T>,
  fits: (schema: JsonSchema) => fc.Arbitrary<T>,
): fc.Arbitrary<[string, T][]> {
  const right = fc.tuple(...own.map(({ name, schema }) => fc.tuple(fc.constant(name), fits(schema))));
  const wrong = fc.array(
    fc.tuple(fc.constantFrom(...[...own, ...strange].map(({ name }) => name)), hostile),
    {
      maxLength: 4,
    },
  );
  const almostRight = fc
    .tuple(
      fc.shuffledSubarray(
        own.map(({ name }) => name),
        { minLength: Math.max(own.length - 2, 0) },
      ),
      right,
      wrong,
    )
    .map(([kept, entries, [change]]) => {
      const left = entries.filter(([name]) => kept.includes(name));
      return change ? [...left.filter(([name]) => name !== change[0]), change] : left;
    });
  return fc.oneof(almostRight, wrong);
}

/** A fitting value as text, for path and query. */
const fittingWord = (schema: JsonSchema): fc.Arbitrary<string> =>
  fitting(schema).map((given) => (Array.isArray(given) ? given.map(wordOf).join(',') : wordOf(given)));

const wordOf = (given: unknown): string =>
  typeof given === 'object' && given !== null ? JSON.stringify(given) : String(given);

/** A path segment must survive `fetch`, which resolves dots; the rest may be anything. */
const encoded = (given: string, most: number): string =>
  encodeURIComponent(given.toWellFormed()).slice(0, most);

function pathOf({ operation }: CompiledOperation): fc.Arbitrary<string> {
  const schemas = new Map(fieldsOf(operation.input?.params).map(({ name, schema }) => [name, schema]));
  const ids = fc.constantFrom('1', '2', '2147483000', 'me', 'host');
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return fc
    .tuple(...names.map((name) => fc.oneof(ids, fittingWord(schemas.get(name) ?? {}), text)))
    .map((values) => {
      let at = 0;
      return operation.path.replaceAll(/\{\w+\}/g, () => encoded(values[at++] ?? '1', 6_000) || '%20');
    });
}

/** Names and texts that stand for a value where names may be bracketed; the whole of a large one says nothing more. */
function bracketed(name: string, given: unknown): [string, string][] {
  if (typeof given !== 'object' || given === null) return [[name, String(given)]];
  return Object.entries(given)
    .slice(0, 12)
    .flatMap(([key, member]) => bracketed(`${name}[${key}]`, member))
    .slice(0, 40);
}

const nestedForm = (own: Fields, strange: Fields): fc.Arbitrary<string> =>
  filled<unknown>(own, strange, value, fitting).map((entries) =>
    entries
      .flatMap(([name, given]) => bracketed(name, given))
      .map(([name, given]) => `${encoded(name, 300)}=${encoded(given, 1_000)}`)
      .join('&')
      .slice(0, 12_000),
  );

const queryOf = ({ operation }: CompiledOperation): fc.Arbitrary<string> =>
  operation.bracketed ? nestedForm(fieldsOf(operation.input?.query), strangers.query) : wordsQuery(operation);

const wordsQuery = (operation: CompiledOperation['operation']): fc.Arbitrary<string> =>
  filled(fieldsOf(operation.input?.query), strangers.query, text, fittingWord).map((entries) =>
    entries.map(([name, given]) => `${name}=${encoded(given, 3_000)}`).join('&'),
  );

function jsonBody(own: Fields): fc.Arbitrary<{ body: string; type: string }> {
  return filled(own, strangers.body, value, fitting).map((entries) => ({
    // By hand: a key `__proto__` must arrive as one.
    body: `{${entries.map(([name, given]) => `${JSON.stringify(name)}:${JSON.stringify(given)}`).join(',')}}`,
    type: 'application/json',
  }));
}

function multipartBody(own: Fields, file: string): fc.Arbitrary<FormData> {
  const fields = filled(own, strangers.body, text, fittingWord);
  const name = fc.oneof(fc.constantFrom('a.gif', 'a.txt', 'a'), text);
  const content = fc.constantFrom('', 'GIF89a', 'text', '<svg onload=alert(1)>', '\0\0\0\x18ftypmp42');
  return fc.tuple(fields, fc.boolean(), name, content).map(([entries, withFile, label, bytes]) => {
    const form = new FormData();
    for (const [field, given] of entries) form.append(field, given.toWellFormed());
    if (withFile) form.append(file, new Blob([bytes]), label.toWellFormed().slice(0, 200));
    return form;
  });
}

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'If-None-Match': '"x", W/"y", *' },
      { 'If-Match': '*' },
      { 'Idempotency-Key': 'one and the same' },
      { 'X-HTTP-Method-Override': 'DELETE' },
      { 'X-HTTP-Method-Override': '__proto__' },
      { Accept: 'text/event-stream;q=0.x' },
      { Range: 'bytes=9-1,-' },
      { Cookie: 'svc_session=;;=; x' },
      { 'Content-Encoding': 'gzip' },
    ),
  },
);

/** Requests for one operation in which path, query, body and headers may each be wrong, or all be right. */
export function malformedRequests(compiled: CompiledOperation): fc.Arbitrary<Asked> {
  const { method, multipart, bracketed: takesForms, input } = compiled.operation;
  const own = fieldsOf(input?.body);
  const form = nestedForm(own, strangers.body).map((body) => ({
    body,
    type: 'application/x-www-form-urlencoded',
  }));
  const json = takesForms ? fc.oneof(form, jsonBody(own)) : jsonBody(own);
  const written = fc.oneof(
    { weight: 7, arbitrary: multipart ? multipartBody(own, multipart.file) : json },
    { weight: 1, arbitrary: fc.constantFrom(...brokenBodies) },
  );
  return fc
    .tuple(pathOf(compiled), queryOf(compiled), written, oddHeaders)
    .map(([path, query, sent, headers]) => {
      const request = { method, route: query === '' ? path : `${path}?${query}` };
      if (method === 'GET' || method === 'OPTIONS') return { ...request, headers };
      if (sent instanceof FormData) return { ...request, headers, body: sent };
      const type: Record<string, string> = sent.type === '' ? {} : { 'Content-Type': sent.type };
      return { ...request, headers: { ...headers, ...type }, body: sent.body };
    });
}
