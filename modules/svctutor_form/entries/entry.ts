import { json, time, yup } from '@lyceum/core';

/** What somebody answered in one place of a form, as the runner exports it. */
export interface EntryField {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  /** Reference of the slot of the node. */
  readonly slot: string;
  readonly datatype: string;
  readonly node: { readonly id: string; readonly context?: unknown };
  readonly value?: unknown;
  /** The value as people read it. */
  readonly string: string;
  readonly time?: unknown;
}

/** What a runner hands in. */
export interface Submission {
  readonly exportables: {
    readonly fingerprint: string;
    readonly stencil: string;
    readonly fields: readonly EntryField[];
  };
  readonly actionables: { readonly stencil: string } | null;
  /** The page on which the form stood. */
  readonly page_id: number | null;
  readonly language: string | null;
  readonly locale: string | null;
}

/** A stored entry. */
export interface Entry {
  readonly entry_id: number;
  /** A uuid, for those who must not count. */
  readonly id: string;
  readonly form_id: number;
  /** From 1 in each form. */
  readonly index: number;
  readonly user_id: number | null;
  readonly page_id: number | null;
  readonly fingerprint: string;
  readonly stencil: string;
  readonly fields: readonly EntryField[];
  readonly language: string | null;
  readonly locale: string | null;
  readonly created_at: string;
}

const integer = () => yup.number().integer();

export const EntryRecord = yup.object({
  entry_id: integer().required(),
  id: yup.string().uuid().required(),
  form_id: integer().required(),
  index: integer().required(),
  user_id: integer().nullable().defined(),
  page_id: integer().nullable().defined(),
  fingerprint: yup.string().defined(),
  stencil: yup.string().defined(),
  fields: yup.array().of(json()).required(),
  language: yup.string().nullable().defined(),
  locale: yup.string().nullable().defined(),
  created_at: time().required(),
});
