import type * as yup from 'yup';

/**
 * What the host needs to know of a yup schema, taken once when a module is loaded: how to pick declared keys,
 * how to read text, how to present. Describing a schema costs far more than checking with it.
 */
export interface SchemaPlan {
  readonly kind: 'object' | 'array' | 'number' | 'string' | 'boolean' | 'any';
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly integer: boolean;
  /** Longest allowed array; Infinity for other kinds. */
  readonly maxItems: number;
  readonly words: ReadonlySet<unknown> | null;
  readonly fields: readonly (readonly [string, SchemaPlan])[];
  readonly item: SchemaPlan | null;
  /** Of an answer that has one of several forms; else empty. */
  readonly forms: readonly SchemaPlan[];
  /** Explicitly declared default, undefined without one. */
  readonly standard: unknown;
  readonly jsonSchema: Readonly<Record<string, unknown>> | null;
  /** What clients are told of a field that its operation judges; null where the schema itself says it. */
  readonly told: { readonly required: boolean } | null;
  /** Comes as it was sent: not even texts are looked at. */
  readonly unchecked: boolean;
  /** A text that may be longer than others. */
  readonly long: boolean;
  readonly tests: readonly { readonly name: string; readonly params: Readonly<Record<string, unknown>> }[];
}

/** An array without a declared maximum may have this many items: yup spends 10 µs on each. */
const defaultMaxItems = 10_000;

const kinds = new Set(['object', 'array', 'number', 'string', 'boolean']);

type Described = yup.SchemaDescription & {
  fields?: Record<string, yup.SchemaFieldDescription>;
  innerType?: yup.SchemaFieldDescription;
};

export function planOf(schema: yup.AnySchema): SchemaPlan {
  return fromDescription(schema.describe() as Described, schema);
}

function fromDescription(described: Described, schema: yup.AnySchema): SchemaPlan {
  const own = schema as yup.AnySchema & {
    fields?: Record<string, yup.AnySchema>;
    innerType?: yup.AnySchema;
  };
  const tests = (described.tests ?? []).map((test) => ({ name: test.name ?? '', params: test.params ?? {} }));
  const spec = own.spec as { default?: unknown } | undefined;
  const meta = described.meta as
    | {
        jsonSchema?: Record<string, unknown>;
        forms?: readonly yup.AnySchema[];
        told?: { readonly required: boolean };
        unchecked?: boolean;
        long?: boolean;
      }
    | undefined;
  const max = tests.find((test) => test.name === 'max')?.params.max;
  return {
    kind: kinds.has(described.type) ? (described.type as SchemaPlan['kind']) : 'any',
    optional: described.optional ?? true,
    nullable: described.nullable ?? false,
    integer: tests.some((test) => test.name === 'integer'),
    maxItems: described.type !== 'array' ? Infinity : typeof max === 'number' ? max : defaultMaxItems,
    words: described.oneOf?.length ? new Set<unknown>(described.oneOf) : null,
    fields: Object.entries(own.fields ?? {}).map(([name, field]) => [name, planOf(field)] as const),
    item: own.innerType ? planOf(own.innerType) : null,
    forms: (meta?.forms ?? []).map(planOf),
    standard: spec?.default,
    jsonSchema: meta?.jsonSchema ?? null,
    told: meta?.told ?? null,
    unchecked: meta?.unchecked ?? false,
    long: meta?.long ?? false,
    tests,
  };
}
