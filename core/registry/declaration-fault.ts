import type { Condition } from '../api/conditions.ts';
import { hostErrors } from '../api/host-errors.ts';
import { isPlainObject } from '../api/schema.ts';

/** What is wrong with a declaration: the field and the mend, for its author. */
export class DeclarationError extends Error {}

const conditionKinds = new Set([
  'installed',
  'moduleOn',
  'settingIs',
  'networkCommitted',
  'commandFound',
  'all',
  'any',
  'not',
]);

/** @throws DeclarationError */
export function refuse(field: string, mend: string): never {
  throw new DeclarationError(`${field}: ${mend}`);
}

/** Refuses a key that the format does not have. */
export function knownKeys(value: object, known: ReadonlySet<string>, field: string): void {
  for (const key of Object.keys(value)) {
    if (!known.has(key)) refuse(field ? `${field}.${key}` : key, 'is no key of a declaration; remove it.');
  }
}

/** The list of a field; an absent one is empty. */
export function listOf(value: unknown, field: string): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : refuse(field, 'must be an array.');
}

/** Refuses what no function of the door made. */
export function checkCondition(when: unknown, field: string): asserts when is Condition {
  if (!isPlainObject(when) || !conditionKinds.has(String(when.kind))) {
    refuse(
      field,
      'must be made by installed, moduleOn, settingIs, networkCommitted, commandFound, all, any or not.',
    );
  }
}

/** Codes that an operation or a job names stand in the table of its module or in that of the host. */
export function checkCodes(codes: unknown, name: string, table: unknown): void {
  for (const code of listOf(codes, `${name}.errors`)) {
    if (typeof code !== 'string') refuse(`${name}.errors`, 'must be an array of codes.');
    if (!Object.hasOwn(isPlainObject(table) ? table : {}, code) && !Object.hasOwn(hostErrors, code)) {
      refuse(`${name}.errors`, `"${code}" is not in the module's error table; add a row for it.`);
    }
  }
}

/** True for what yup made. */
export const isSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '__isYupSchema__' in value;

/** Refuses what is shown as a text and is none; it may be left out. */
export function checkText(value: unknown, field: string): void {
  if (value !== undefined && typeof value !== 'string') refuse(field, 'must be a text.');
}

/** Refuses what clients are told and JSON has no form for. */
export function checkTellable(value: unknown, field: string): void {
  try {
    JSON.stringify(value);
  } catch {
    refuse(field, 'must be something that JSON can say.');
  }
}
