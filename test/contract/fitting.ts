import fc from 'fast-check';
import type { JsonSchema } from '../../core/http/json-schema.ts';

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  email: fc.emailAddress(),
  uri: fc.webUrl(),
  uuid: fc.uuid(),
};

/** Words that lead somewhere: texts that records of a fresh installation have. */
const known = fc.constantFrom(
  'admin',
  'Lyceum',
  'page',
  'post',
  'category',
  'publish',
  'host',
  'en',
  'a-slug',
);

function fittingText({ minLength, maxLength, pattern, format }: JsonSchema): fc.Arbitrary<unknown> {
  if (typeof format === 'string' && formats[format]) return formats[format];
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' });
  const least = typeof minLength === 'number' ? minLength : 0;
  const most = Math.min(typeof maxLength === 'number' ? maxLength : 40, least + 40);
  return fc.oneof(known, fc.string({ unit: 'grapheme', minLength: least, maxLength: most }));
}

function fittingNumber({ type, minimum, maximum }: JsonSchema): fc.Arbitrary<unknown> {
  const min = typeof minimum === 'number' ? minimum : -10;
  const max = typeof maximum === 'number' ? maximum : min + 1_000;
  if (type === 'number') return fc.double({ min, max, noNaN: true });
  // Small ones lead to records that exist.
  return fc.oneof(fc.integer({ min, max: Math.min(max, min + 3) }), fc.integer({ min, max }));
}

function fittingObject({ properties, required, additionalProperties }: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  if (fields.length === 0) {
    const values =
      typeof additionalProperties === 'object' ? fitting(additionalProperties as JsonSchema) : fc.jsonValue();
    return fc.dictionary(fc.oneof(known, fc.string({ maxLength: 10 })), values, { maxKeys: 3 });
  }
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, fitting(field)])), {
    requiredKeys: (required ?? []) as string[],
  });
}

/** Values that fit a schema of ours, as far as a schema can say it. */
export function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const { type } = schema;
  if (Array.isArray(type))
    return fc.oneof(...(type as string[]).map((one) => fitting({ ...schema, type: one })));
  switch (type) {
    case 'string':
      return fittingText(schema);
    case 'integer':
    case 'number':
      return fittingNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fitting((schema.items ?? {}) as JsonSchema), {
        minLength: typeof schema.minItems === 'number' ? schema.minItems : 0,
        maxLength: Math.min(typeof schema.maxItems === 'number' ? schema.maxItems : 4, 4),
      });
    case 'object':
      return fittingObject(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}
