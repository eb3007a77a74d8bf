import { invalidParams, isPlainObject } from '@lyceum/core';

/** Fields in which an item may name the result of an earlier one. */
const fields = ['id', 'package_id', 'page_id', 'parent_id', 'section_id'];

const form = /^\$(\d{1,3})\.([a-z_]{1,40}|\d{1,9})(?:\.([a-z_]{1,40}|\d{1,9})){0,5}$/;

/** Results so far by index: null for an item that failed. */
export type Results = readonly (Readonly<Record<string, unknown>> | null)[];

function lookUp(reference: string, results: Results): unknown {
  const [index, ...keys] = reference.slice(1).split('.');
  let value: unknown = results[Number(index)] ?? null;
  for (const key of keys) {
    const holds = Array.isArray(value) || isPlainObject(value);
    value = holds && Object.hasOwn(value as object, key) ? (value as Record<string, unknown>)[key] : null;
  }
  return value;
}

/**
 * The item with what its references lead to.
 * @throws `rest_invalid_param` naming a field that leads to nothing
 */
export function resolveReferences(
  item: Readonly<Record<string, unknown>>,
  results: Results,
): Record<string, unknown> {
  const resolved: Record<string, unknown> = { ...item };
  for (const field of fields) {
    const given = Object.hasOwn(item, field) ? item[field] : undefined;
    if (typeof given !== 'string' || !form.test(given)) continue;
    const value = lookUp(given, results);
    if (value === null) invalidParams({ [field]: 'refers to a result that is not there' });
    resolved[field] = value;
  }
  return resolved;
}
