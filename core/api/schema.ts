import * as yup from 'yup';

/** Greatest id: PostgreSQL's `integer`. */
export const maxId = 2_147_483_647;

// Messages name the rule and never the value: a value may be a secret, or 5 MiB long.
yup.setLocale({
  mixed: {
    default: 'is not valid',
    required: 'is required',
    defined: 'is required',
    notNull: 'must not be null',
    oneOf: ({ values }: { values?: unknown }) => `must be one of ${String(values)}`,
    notType: ({ type }: { type?: string }) => `must be of type ${type ?? 'another type'}`,
  },
  string: {
    length: ({ length }: { length?: number }) => `must have exactly ${length} characters`,
    min: ({ min }: { min?: number }) => `must have at least ${min} characters`,
    max: ({ max }: { max?: number }) => `must have at most ${max} characters`,
    matches: 'has the wrong form',
    email: 'must be an e-mail address',
    url: 'must be a URL',
    uuid: 'must be a uuid',
    trim: 'must not begin or end with white space',
    lowercase: 'must be in lower case',
  },
  number: {
    min: ({ min }: { min?: number }) => `must be at least ${min}`,
    max: ({ max }: { max?: number }) => `must be at most ${max}`,
    integer: 'must be an integer',
    positive: 'must be greater than 0',
  },
  array: {
    min: ({ min }: { min?: number }) => `must have at least ${min} items`,
    max: ({ max }: { max?: number }) => `must have at most ${max} items`,
    length: ({ length }: { length?: number }) => `must have exactly ${length} items`,
  },
  object: { noUnknown: 'has an unknown key' },
});

export { yup };

/** A reference to a record: an integer from 1 to 2,147,483,647. */
export const id = () => yup.number().integer().min(1).max(maxId);

/** An id in a path, where the page answers every wrong one with its own 404: read it with `readId`. */
export const idText = () =>
  yup
    .string()
    .required()
    .meta({ jsonSchema: { type: 'integer', minimum: 1 } });

/** The id in a path segment, or null for anything that can be no id. */
export function readId(text: string): number | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null;
  const value = Number(text);
  return value <= maxId ? value : null;
}

/** A time as the API writes it: RFC 3339 in UTC with `Z`. */
export const time = () => yup.string().meta({ jsonSchema: { type: 'string', format: 'date-time' } });

const momentForm =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const firstMoment = Date.parse('0001-01-01T00:00:00Z');
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

function isMoment(text: string | undefined): boolean {
  if (text === undefined) return true;
  const found = momentForm.exec(text);
  // Years that an answer writes with four digits; an offset may lead out of them.
  if (!found || !(Date.parse(text) >= firstMoment && Date.parse(text) <= lastMoment)) return false;
  // "30 February" would be read as the 2nd of March.
  const day = new Date(Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3])));
  return day.getUTCDate() === Number(found[3]);
}

/** A time in an input: RFC 3339 with `Z` or an offset, in the years 1 to 9999. */
export const moment = () =>
  yup
    .string()
    .test('time', 'must be a time as in RFC 3339, with Z or an offset', isMoment)
    .meta({ jsonSchema: { type: 'string', format: 'date-time' } });

/** 0 or 1, as the site flags are. */
export const flag = () => yup.number().oneOf([0, 1] as const);

/** One of these words. */
export const word = <const W extends string>(...words: readonly W[]) => yup.string<W>().oneOf(words);

/** A plain object with free keys, checked and presented as it is. `jsonSchema` describes its values. */
export const record = (values: Readonly<Record<string, unknown>> = {}) =>
  yup
    .mixed<Readonly<Record<string, unknown>>>(isPlainObject)
    .meta({ jsonSchema: { type: 'object', additionalProperties: values } });

/** Any JSON value. */
export const json = () => yup.mixed<string | number | boolean | object>().nullable().meta({ jsonSchema: {} });

/**
 * A field of a body that the operation judges itself, because what is wrong with it has a code or an order of its own.
 * It comes as any JSON, null, or not at all; clients are told what is right: `jsonSchema`, and whether it is required.
 */
export const judged = (jsonSchema: Readonly<Record<string, unknown>>, told: { readonly required: boolean }) =>
  json().meta({ jsonSchema, told });

/**
 * A field of a body that never makes a request fail: not even its texts are checked, so it may hold what no database
 * takes. For what is compared or left out, never for what is stored.
 */
export const asSent = (jsonSchema: Readonly<Record<string, unknown>>) =>
  json().meta({ jsonSchema, unchecked: true });

/** A text of a body that may be longer than the 5 MiB of others, up to so many characters. */
export const longText = (mostCharacters: number) => yup.string().max(mostCharacters).meta({ long: true });

/**
 * A text of a body that comes as it was sent, whatever characters it has, where the operation itself says what is
 * wrong with one. For what is compared, checked or told, never for what is stored.
 */
export const rawText = (mostCharacters: number) => yup.string().max(mostCharacters).meta({ unchecked: true });

/** An answer that has one of several forms: the first that fits is presented. Not for input. */
export const either = (...forms: readonly [yup.AnySchema, ...yup.AnySchema[]]) =>
  yup.mixed<object>().required().meta({ forms });

/** A list that a query gives as `a,b,c`, a body as an array. No member may repeat where `distinct`. */
export const list = <T>(member: yup.ISchema<T>, max: number) =>
  yup
    .array()
    .of(member as yup.Schema<T>)
    .max(max);

/** `page` and `per_page` of a paged list: 1–1000 and 1–100. Spread into the query's fields. */
export const pageQuery = () => ({
  page: yup.number().integer().min(1).max(1000).default(1),
  per_page: yup.number().integer().min(1).max(100).default(20),
});

/** What `pageQuery` reads: the page from 1, and how many items it has. */
export interface PageQuery {
  readonly page: number;
  readonly per_page: number;
}

/** True for an object made of keys and values, not an array, a Date or an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
