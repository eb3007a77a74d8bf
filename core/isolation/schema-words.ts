import * as yup from 'yup';
import { isPlainObject, record } from '../api/schema.ts';
import { DeclarationError } from '../registry/declaration-fault.ts';

interface TestWords {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What data can say of a yup schema. Its own tests and transforms stay with the schema. */
export interface SchemaWords {
  readonly type: string;
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly words: readonly unknown[];
  readonly tests: readonly TestWords[];
  readonly standard: { readonly value: unknown } | null;
  readonly fields: readonly (readonly [string, SchemaWords])[];
  readonly item: SchemaWords | null;
  readonly forms: readonly SchemaWords[];
  readonly meta: Readonly<Record<string, unknown>>;
}

type Inner = yup.AnySchema & {
  readonly spec: { readonly default?: unknown };
  readonly fields?: Readonly<Record<string, yup.AnySchema>>;
  readonly innerType?: yup.AnySchema;
};

export function writeSchema(schema: yup.AnySchema): SchemaWords {
  const { spec, fields, innerType } = schema as Inner;
  const said = schema.describe();
  const { forms, ...meta } = (said.meta ?? {}) as Record<string, unknown>;
  return {
    type: said.type,
    optional: said.optional ?? true,
    nullable: said.nullable ?? false,
    words: [...(said.oneOf ?? [])],
    tests: (said.tests ?? []).map(({ name, params }) => ({ name: name ?? '', params: dataOf(params ?? {}) })),
    standard: Object.hasOwn(spec, 'default') ? { value: standardOf(spec.default) } : null,
    fields: Object.entries(fields ?? {}).map(([name, field]) => [name, writeSchema(field)] as const),
    item: innerType ? writeSchema(innerType) : null,
    forms: ((forms ?? []) as yup.AnySchema[]).map(writeSchema),
    meta,
  };
}

const standardOf = (standard: unknown): unknown =>
  typeof standard === 'function' ? (standard as () => unknown)() : standard;

/** Numbers, texts and regular expressions travel; anything else that a test was given stays. */
const dataOf = (params: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => typeof value !== 'function'));

/**
 * A schema that picks, reads and shows as the written one, and describes itself alike, but tests nothing: the
 * schema itself does, where its module's code may run.
 */
export const readShape = (words: SchemaWords): yup.AnySchema =>
  build(words, (schema, { name, params }) => schema.test({ name, params, test: () => true }));

/** A schema that tests what the written one tests, made of yup's own tests. Throws for any other. */
export const readWhole = (words: SchemaWords, field: string): yup.AnySchema =>
  build(words, (schema, test) => withTest(schema, test, field));

type AddTest = (schema: yup.AnySchema, test: TestWords) => yup.AnySchema;

function build(words: SchemaWords, add: AddTest): yup.AnySchema {
  let schema = base(words, add);
  if (!words.optional) schema = schema.defined();
  if (words.nullable) schema = schema.nullable();
  if (words.words.length > 0) schema = schema.oneOf(words.words as never[]);
  for (const test of words.tests) schema = add(schema, test);
  if (words.standard) {
    const { value } = words.standard;
    schema = schema.default(
      typeof value === 'object' && value !== null ? () => structuredClone(value) : value,
    );
  }
  const meta = {
    ...words.meta,
    ...(words.forms.length > 0 ? { forms: words.forms.map((form) => build(form, add)) } : {}),
  };
  return Object.keys(meta).length > 0 ? schema.meta(meta) : schema;
}

function base({ type, fields, item, meta }: SchemaWords, add: AddTest): yup.AnySchema {
  switch (type) {
    case 'string':
      return yup.string();
    case 'number':
      return yup.number();
    case 'boolean':
      return yup.boolean();
    case 'array':
      return item ? yup.array().of(build(item, add)) : yup.array();
    case 'object':
      return yup.object(Object.fromEntries(fields.map(([name, field]) => [name, build(field, add)])));
    default:
      return isPlainObject(meta.jsonSchema) && meta.jsonSchema.type === 'object' ? record() : yup.mixed();
  }
}

/** The tests that yup brings, by the name that it gives them. */
const own: Readonly<
  Record<string, (schema: never, params: Readonly<Record<string, never>>) => yup.AnySchema>
> = {
  required: (schema: yup.StringSchema) => schema.required(),
  min: (schema: yup.NumberSchema, { min, more }) =>
    min === undefined ? schema.moreThan(more as never) : schema.min(min),
  max: (schema: yup.NumberSchema, { max, less }) =>
    max === undefined ? schema.lessThan(less as never) : schema.max(max),
  length: (schema: yup.StringSchema, { length }) => schema.length(length as never),
  integer: (schema: yup.NumberSchema) => schema.integer(),
  email: (schema: yup.StringSchema) => schema.email(),
  uuid: (schema: yup.StringSchema) => schema.uuid(),
};

function withTest(schema: yup.AnySchema, { name, params }: TestWords, field: string): yup.AnySchema {
  const add = Object.hasOwn(own, name) ? own[name] : undefined;
  if (!add) {
    throw new DeclarationError(
      `${field}: the test "${name}" would run outside the module's worker; use required, min, max, length, integer, oneOf, email or uuid.`,
    );
  }
  return add(schema as never, params as never);
}
