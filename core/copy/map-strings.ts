import { isPlainObject } from '../api/schema.ts';

/** Deeper values stay as they are: no request brings them. */
const mostLevels = 500;

/** The value with every text in it changed, names of keys left out; the very same value when no text changes. */
export const mapStrings = (value: unknown, change: (text: string) => string): unknown =>
  mapped(value, change, 0);

function mapped(value: unknown, change: (text: string) => string, level: number): unknown {
  if (typeof value === 'string') return change(value);
  if (level === mostLevels) return value;
  if (Array.isArray(value)) {
    const members = value.map((member: unknown) => mapped(member, change, level + 1));
    return members.some((member, at) => member !== value[at]) ? members : value;
  }
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [key, mapped(member, change, level + 1)] as const,
  );
  return members.some(([key, member]) => member !== value[key]) ? Object.fromEntries(members) : value;
}
