import type * as yup from 'yup';
import { planOf, type SchemaPlan } from './schema-plan.ts';

export type JsonSchema = Record<string, unknown>;

/** Which way a value goes: what yup checks of an input, an answer only has to fit in shape. */
type Direction = 'input' | 'output';

/** The JSON Schema (2020-12) of an input. What yup cannot say is given by `.meta({ jsonSchema })`. */
export const jsonSchemaOf = (schema: yup.AnySchema): JsonSchema => fromPlan(planOf(schema), 'input');

/** The JSON Schema (2020-12) of an answer. */
export const outputSchemaOf = (schema: yup.AnySchema): JsonSchema => fromPlan(planOf(schema), 'output');

function fromPlan(plan: SchemaPlan, direction: Direction): JsonSchema {
  const schema = plan.jsonSchema ? { ...plan.jsonSchema } : byKind(plan, direction);
  if (plan.standard !== undefined && typeof plan.standard !== 'function') schema.default = plan.standard;
  return plan.nullable && !plan.told ? orNull(schema) : schema;
}

/** The same, or null: `type` is the short way of saying it, an alternative the general one. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words, anyOf, oneOf } = schema;
  const widened = { ...schema };
  if (Array.isArray(words)) widened.enum = [...new Set([...(words as unknown[]), null])];
  if (type !== undefined) widened.type = [...new Set([type, 'null'].flat())];
  else if (Array.isArray(anyOf)) widened.anyOf = [...(anyOf as unknown[]), { type: 'null' }];
  else if (Array.isArray(oneOf)) widened.oneOf = [...(oneOf as unknown[]), { type: 'null' }];
  return widened;
}

function byKind(plan: SchemaPlan, direction: Direction): JsonSchema {
  const words = plan.words ? { enum: [...plan.words] } : {};
  switch (plan.kind) {
    case 'object':
      return objectSchema(plan, direction);
    case 'array':
      return {
        type: 'array',
        items: plan.item ? fromPlan(plan.item, direction) : {},
        ...limits(plan, 'minItems', 'maxItems'),
      };
    case 'number':
      return {
        type: plan.integer || allIntegers(plan.words) ? 'integer' : 'number',
        ...limits(plan, 'minimum', 'maximum'),
        ...words,
      };
    case 'string':
      return {
        type: 'string',
        // A required text of an input is one that is not empty.
        ...(direction === 'input' && isRequired(plan) ? { minLength: 1 } : {}),
        ...limits(plan, 'minLength', 'maxLength'),
        ...pattern(plan),
        ...words,
      };
    case 'boolean':
      return { type: 'boolean', ...words };
    default:
      return plan.forms.length > 0 ? { anyOf: plan.forms.map((form) => fromPlan(form, direction)) } : words;
  }
}

const allIntegers = (words: ReadonlySet<unknown> | null): boolean =>
  words !== null && [...words].every(Number.isInteger);

const isRequired = (plan: SchemaPlan): boolean => plan.tests.some(({ name }) => name === 'required');

function objectSchema(plan: SchemaPlan, direction: Direction): JsonSchema {
  const mayBeAbsent = (field: SchemaPlan): boolean =>
    field.told
      ? !field.told.required
      : field.optional || (direction === 'input' && field.standard !== undefined);
  const required = plan.fields.filter(([, field]) => !mayBeAbsent(field)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(plan.fields.map(([name, field]) => [name, fromPlan(field, direction)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function limits(plan: SchemaPlan, least: string, most: string): JsonSchema {
  const found: JsonSchema = {};
  for (const { name, params } of plan.tests) {
    if (name === 'min' && typeof params.min === 'number') found[least] = params.min;
    if (name === 'max' && typeof params.max === 'number') found[most] = params.max;
    if (name === 'min' && typeof params.more === 'number') found.exclusiveMinimum = params.more;
    if (name === 'max' && typeof params.less === 'number') found.exclusiveMaximum = params.less;
    if (name === 'length' && typeof params.length === 'number') {
      found[least] = params.length;
      found[most] = params.length;
    }
  }
  return found;
}

function pattern(plan: SchemaPlan): JsonSchema {
  for (const { name, params } of plan.tests) {
    if (name === 'email') return { format: 'email' };
    if (name === 'url') return { format: 'uri' };
    if (name === 'uuid') return { format: 'uuid' };
    if (name === 'matches' && params.regex instanceof RegExp && /^u?$/.test(params.regex.flags)) {
      return { pattern: params.regex.source };
    }
  }
  return {};
}
