import * as yup from 'yup';
import { fail } from '../api/errors.ts';
import { isPlainObject } from '../api/schema.ts';
import { compilePlainCheck } from './plain-check.ts';
import { planOf, type SchemaPlan } from './schema-plan.ts';

/** Longest string in a body, in bytes of UTF-8. */
const maxStringBytes = 5 * 1024 * 1024;

/** What is wrong with an input: names of absent required fields, and messages by name of bad ones. */
export class Problems {
  readonly missing: string[] = [];
  readonly invalid: Record<string, string> = Object.create(null) as Record<string, string>;

  add(path: string, message: string): void {
    this.invalid[path] ??= message;
  }

  /**
   * Throws the answer of the contract when there is any problem.
   * @param code stands in the place of the two usual ones
   */
  throwIfAny(code?: string): void {
    if (this.missing.length > 0) {
      fail(code ?? 'rest_missing_callback_param', {
        message: `Missing parameter(s): ${this.missing.join(', ')}`,
        data: { params: this.missing },
      });
    }
    const names = Object.keys(this.invalid);
    if (names.length > 0) refuseParams(code ?? 'rest_invalid_param', this.invalid);
  }
}

/** Throws 400 `rest_invalid_param` for these fields, messages by name. */
export function invalidParams(params: Readonly<Record<string, string>>): never {
  return refuseParams('rest_invalid_param', params);
}

function refuseParams(code: string, params: Readonly<Record<string, string>>): never {
  return fail(code, {
    message: `Invalid parameter(s): ${Object.keys(params).slice(0, 20).join(', ')}`,
    data: { params: { ...params } },
  });
}

/** How values arrive: `text` from path and query (cast), `json` from a body (strict). */
export type InputMode = 'text' | 'json';

/** Reads one part of a request by its schema: only declared own keys reach yup, in a fresh object. */
export type InputReader = (raw: Readonly<Record<string, unknown>>, problems: Problems) => unknown;

export function compileInput(schema: yup.AnySchema, mode: InputMode): InputReader {
  const plan = planOf(schema);
  const isPlain = mode === 'text' ? compilePlainCheck(schema) : null;
  return (raw, problems) => {
    const before = Object.keys(problems.invalid).length;
    const picked = pickFields(plan, raw, '', mode, problems, true);
    if (problems.missing.length > 0 || Object.keys(problems.invalid).length > before) return picked;
    if (isPlain?.(picked)) return picked;
    try {
      return schema.validateSync(picked, { abortEarly: false, strict: mode === 'json' });
    } catch (error) {
      if (!(error instanceof yup.ValidationError)) throw error;
      for (const inner of error.inner.length > 0 ? error.inner : [error]) {
        const path = inner.path ?? '';
        problems.add(mode === 'text' ? path.replace(/\[\d+\]$/, '') : path, inner.message);
      }
      return picked;
    }
  };
}

const readers = new WeakMap<yup.AnySchema, InputReader>();

/**
 * Fields of JSON that is no body of its own, as an item of a batch, read by the rules of one.
 * @throws `rest_missing_callback_param`, `rest_invalid_param`
 */
export function readFields<T>(schema: yup.ISchema<T>, raw: Readonly<Record<string, unknown>>): T {
  const known = schema as unknown as yup.AnySchema;
  const reader = readers.get(known) ?? compileInput(known, 'json');
  readers.set(known, reader);
  const problems = new Problems();
  const read = reader(raw, problems);
  problems.throwIfAny();
  return read as T;
}

function pickFields(
  plan: SchemaPlan,
  raw: Readonly<Record<string, unknown>>,
  path: string,
  mode: InputMode,
  problems: Problems,
  top: boolean,
): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [name, field] of plan.fields) {
    const at = path ? `${path}.${name}` : name;
    const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (given !== undefined) {
      picked[name] = pick(field, given, at, mode, problems);
    } else if (field.standard !== undefined) {
      picked[name] = typeof field.standard === 'function' ? field.standard() : field.standard;
    } else if (!field.optional) {
      if (top) problems.missing.push(name);
      else problems.add(at, 'is required');
    }
  }
  return picked;
}

function pick(plan: SchemaPlan, given: unknown, path: string, mode: InputMode, problems: Problems): unknown {
  if (plan.unchecked) return given;
  const value = mode === 'text' ? fromText(plan, given, path, problems) : given;
  if (typeof value === 'string') checkText(value, path, problems, plan.long);
  else if (plan.kind === 'object' && isPlainObject(value)) {
    return pickFields(plan, value, path, mode, problems, false);
  } else if (plan.kind === 'array' && Array.isArray(value)) {
    return pickItems(plan, value, path, mode, problems);
  } else if (typeof value === 'object' && value !== null) checkDeep(value, path, problems);
  else if (typeof value === 'number' && !Number.isFinite(value))
    problems.add(path, 'must be a finite number');
  return value;
}

function pickItems(
  plan: SchemaPlan,
  items: readonly unknown[],
  path: string,
  mode: InputMode,
  problems: Problems,
): unknown[] {
  // Before yup looks at each of a million items.
  if (items.length > plan.maxItems) {
    problems.add(path, `must have at most ${plan.maxItems} items`);
    return [];
  }
  const item = plan.item;
  if (!item) {
    checkDeep(items, path, problems);
    return [...items];
  }
  // In a query it is one text under one name.
  const nameOf = (index: number): string => (mode === 'text' ? path : `${path}[${index}]`);
  return items.map((member, index) => pick(item, member, nameOf(index), mode, problems));
}

const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function fromText(plan: SchemaPlan, given: unknown, path: string, problems: Problems): unknown {
  if (typeof given !== 'string') {
    const isList = plan.kind === 'array' && Array.isArray(given);
    if (!isList && !(plan.kind === 'object' && isPlainObject(given)))
      problems.add(path, 'must be given once');
    return given;
  }
  if (plan.kind === 'number') {
    if (/^-?\d{1,15}(\.\d{1,15})?$/.test(given)) return Number(given);
    problems.add(path, plan.integer ? 'must be an integer' : 'must be a number');
  } else if (plan.kind === 'boolean') {
    const read = booleans.get(given);
    if (read !== undefined) return read;
    problems.add(path, 'must be true or false');
  } else if (plan.kind === 'array') {
    return given === '' ? [] : given.split(',');
  }
  return given;
}

function checkText(text: string, path: string, problems: Problems, long: boolean): void {
  // PostgreSQL stores no NUL, UTF-8 no lone surrogate.
  if (text.includes('\0')) problems.add(path, 'must not contain the character U+0000');
  else if (!text.isWellFormed()) problems.add(path, 'must not contain an unpaired surrogate');
  else if (!long && text.length * 3 > maxStringBytes && Buffer.byteLength(text) > maxStringBytes) {
    fail('rest_body_too_large', { message: `The field ${path} is longer than 5 MiB.` });
  }
}

/**
 * Free JSON: every string and key in it, to the depth that the body reader lets through. A key `__proto__` becomes
 * something else as soon as somebody copies the object.
 */
function checkDeep(value: object, path: string, problems: Problems): void {
  const open: object[] = [value];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [key, member] of Object.entries(next)) {
      if (key === '__proto__') problems.add(path, 'must not have the key __proto__');
      checkText(key, path, problems, false);
      if (typeof member === 'string') checkText(member, path, problems, false);
      else if (typeof member === 'object' && member !== null) open.push(member as object);
      else if (typeof member === 'number' && !Number.isFinite(member)) {
        problems.add(path, 'must be a finite number');
      }
    }
  }
}
