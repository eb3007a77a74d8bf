import { hintOf } from '../license.ts';
import type { RawAnswer } from './license-server.ts';

const longestText = 5_000;
const mostMembers = 100;
/** What is shorter stands in too many words. */
const shortestKey = 5;
const deepest = 4;

/** Keys, checksums, and links by which files are had. */
const secretName = /(?:^|_)key$|checksum|download|^package$|^__proto__$/i;

/** An answer as it may be kept and shown: no key, checksum or download link, and nothing that JSON in a database cannot be. */
export function cleanAnswer(answer: RawAnswer, key: string): Readonly<Record<string, unknown>> {
  return cleanObject(answer, key, deepest);
}

/** A text of a server as it may be kept: well formed, of bounded length, and without the license key in it. */
export function cleanText(text: string, key: string, longest: number): string {
  const whole = key.length < shortestKey ? text : text.replaceAll(key, () => hintOf(key));
  return whole.slice(0, longest).replaceAll('\0', '').toWellFormed();
}

function cleanObject(object: object, key: string, levels: number): Readonly<Record<string, unknown>> {
  const members = Object.entries(object)
    .filter(([name]) => !secretName.test(name))
    .slice(0, mostMembers)
    .map(([name, value]): [string, unknown] => [cleanText(name, key, 100), clean(value, key, levels - 1)]);
  return Object.fromEntries(members);
}

function clean(value: unknown, key: string, levels: number): unknown {
  if (typeof value === 'string') return cleanText(value, key, longestText);
  if (typeof value !== 'object' || value === null) return value;
  if (levels <= 0) return null;
  if (!Array.isArray(value)) return cleanObject(value, key, levels);
  return value.slice(0, mostMembers).map((member) => clean(member, key, levels - 1));
}
