import type * as yup from 'yup';
import { planOf, type SchemaPlan } from './schema-plan.ts';

export type JsonSchema = Record<string, unknown>;

/** The JSON Schema (2020-12) of a yup schema. What yup cannot say is given by `.meta({ jsonSchema })`. */
export function jsonSchemaOf(schema: yup.AnySchema): JsonSchema {
  return fromPlan(planOf(schema));
}

export function fromPlan(plan: SchemaPlan): JsonSchema {
  const schema = plan.jsonSchema ? { ...plan.jsonSchema } : byKind(plan);
  if (plan.standard !== undefined && typeof plan.standard !== 'function') schema.default = plan.standard;
  if (!plan.nullable) return schema;
  if (Array.isArray(schema.enum)) {
    schema.enum = [...new Set([...(schema.enum as unknown[]), null])];
  }
  if (typeof schema.type === 'string') schema.type = [schema.type, 'null'];
  return schema;
}

function byKind(plan: SchemaPlan): JsonSchema {
  const words = plan.words ? { enum: [...plan.words] } : {};
  switch (plan.kind) {
    case 'object':
      return objectSchema(plan);
    case 'array':
      return {
        type: 'array',
        items: plan.item ? fromPlan(plan.item) : {},
        ...limits(plan, 'minItems', 'maxItems'),
      };
    case 'number':
      return {
        type: plan.integer || allIntegers(plan.words) ? 'integer' : 'number',
        ...limits(plan, 'minimum', 'maximum'),
        ...words,
      };
    case 'string':
      return { type: 'string', ...limits(plan, 'minLength', 'maxLength'), ...pattern(plan), ...words };
    case 'boolean':
      return { type: 'boolean' };
    default:
      return words;
  }
}

const allIntegers = (words: ReadonlySet<unknown> | null): boolean =>
  words !== null && [...words].every(Number.isInteger);

function objectSchema(plan: SchemaPlan): JsonSchema {
  const required = plan.fields.filter(([, field]) => !field.optional).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(plan.fields.map(([name, field]) => [name, fromPlan(field)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function limits(plan: SchemaPlan, least: string, most: string): JsonSchema {
  const found: JsonSchema = {};
  for (const { name, params } of plan.tests) {
    if (name === 'min' && typeof params.min === 'number') found[least] = params.min;
    if (name === 'max' && typeof params.max === 'number') found[most] = params.max;
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
    if (name === 'matches' && params.regex instanceof RegExp && params.regex.flags === '') {
      return { pattern: params.regex.source };
    }
  }
  return {};
}
