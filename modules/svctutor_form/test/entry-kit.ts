import { type Actor, type CodedError, isCoded, Posts } from '@lyceum/core';
import type { TestHost } from '@lyceum/core/testing';
import { type Entry, type EntryField, FormEntries, type Submission } from '../api.ts';

export const hex = (digit: string): string => digit.repeat(64);

const slot = (reference: string, type: string) => ({
  id: hex('0'),
  type,
  kind: 'static',
  reference,
  label: reference,
});

/** Three nodes: one in a cluster, one in a branch, one in a branch of a branch. */
export const definition = {
  name: 'Survey',
  clusters: [
    {
      id: hex('1'),
      nodes: [
        { id: hex('a'), name: 'Name', slots: [slot('value', 'text'), slot('checked', 'boolean')] },
        { id: hex('9'), name: 'A paragraph' },
      ],
      branches: [
        {
          clusters: [
            {
              id: hex('2'),
              nodes: [{ id: hex('b'), name: 'Age', slots: [slot('number', 'number')] }],
              branches: [{ clusters: [{ nodes: [{ id: hex('c'), slots: [slot('date', 'date')] }] }] }],
            },
          ],
        },
      ],
    },
  ],
};

let keys = 0;

/** A field of the first node that fits. */
export function field(given: Partial<EntryField> = {}): EntryField {
  keys += 1;
  return {
    key: `key${keys}`,
    name: 'Name',
    type: 'text',
    slot: 'value',
    datatype: 'string',
    node: { id: hex('a') },
    value: 'Ann',
    string: 'Ann',
    ...given,
  };
}

export const submission = (fields: readonly EntryField[], given: Partial<Submission> = {}): Submission => ({
  exportables: { fingerprint: hex('d'), stencil: hex('e'), fields },
  actionables: null,
  page_id: null,
  language: null,
  locale: null,
  ...given,
});

/** Who hands in; null for nobody. */
export type Person = { readonly id: number; readonly login: string } | null;

export const actor = (user: Person, blogId = 1): Actor => ({
  site: { blog_id: blogId, network_id: 1 },
  user,
  ip: null,
  requestId: null,
});

/** Hands in as a module does that takes entries from people. */
export function handIn(
  { host }: TestHost,
  who: Actor,
  formId: number,
  submitted: Submission,
): Promise<Entry> {
  const spec = host.modules.get('svctutor_form')?.spec;
  if (!spec) throw new Error('The module is not installed.');
  const entries = host.services.resolve(spec)(FormEntries);
  return host.db.transaction(async (trx) => {
    const form = await host.services.host(Posts).lock(trx, who.site.blog_id, formId);
    if (!form) throw new Error(`There is no form ${formId}.`);
    return entries.add(trx, who, form, submitted);
  });
}

/** The coded error that something fails with. */
export async function failureOf(work: Promise<unknown>): Promise<CodedError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!isCoded(error)) throw error ?? new Error('It did not fail.');
  return error;
}
