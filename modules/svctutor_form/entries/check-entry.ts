import type { Post } from '@lyceum/core';
import { type FormHash, hashOf } from '../form/form.ts';
import type { FormSlots } from '../form/form-slots.ts';
import type { EntryField, Submission } from './entry.ts';

/** One thing that does not fit, and where it stands in what was handed in (RFC 6901). */
export interface EntryProblem {
  readonly pointer: string;
  readonly message: string;
}

/** UTF-16 units of an answer as people read it. */
const longestString = 65_536;

/** As many are named in an answer. */
const mostProblems = 100;

/** Whether the entry was made with another version of the form than this one. A form without sums takes any. */
export function isOutdated(form: Post, { exportables, actionables }: Submission): boolean {
  const differs = (name: FormHash, sent: string): boolean => {
    const own = hashOf(form, name);
    return own !== '' && own !== sent.toLowerCase();
  };
  return (
    differs('fingerprint', exportables.fingerprint) ||
    differs('stencil', exportables.stencil) ||
    (actionables !== null && differs('actionables', actionables.stencil))
  );
}

const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  date: Number.isFinite,
  array: Array.isArray,
};

/** What of the fields does not fit the form, in their order. Whether all is answered is for the runner to see. */
export function problemsOf(fields: readonly EntryField[], slots: FormSlots): EntryProblem[] {
  const problems: EntryProblem[] = [];
  const keys = new Set<string>();
  for (const [at, field] of fields.entries()) {
    if (problems.length >= mostProblems) break;
    const say = (name: string, message: string): void => {
      problems.push({ pointer: `/exportables/fields/${at}/${name}`, message });
    };
    if (keys.has(field.key)) say('key', 'must not be that of another field');
    keys.add(field.key);
    const references = slots.get(field.node.id);
    if (!references) say('node/id', 'is no node of the form');
    else if (!references.has(field.slot)) say('slot', 'is no slot of the node');
    if (field.string.length > longestString) say('string', `must have at most ${longestString} characters`);
    if (!valueFits(field)) say('value', 'does not fit the datatype');
  }
  return problems.slice(0, mostProblems);
}

function valueFits({ value, datatype }: EntryField): boolean {
  if (value === null || value === undefined) return true;
  return Object.hasOwn(fits, datatype) && fits[datatype]?.(value) === true;
}
