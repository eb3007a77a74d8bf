import { word, yup } from '@lyceum/core';
import { ItemErrorRecord } from './file-result.ts';

export const ProblemRecord = yup.object({
  code: yup.string().required(),
  severity: word('error', 'warning').required(),
  pointer: yup.string().defined(),
  message: yup.string().required(),
});

const hash = () => yup.string();

export const PageResultRecord = yup.object({
  key: yup.string().required(),
  post_id: yup.number().integer().nullable().defined(),
  action: word('create', 'update', 'unchanged', 'conflict', 'delete', 'error').required(),
  reason: word(
    ...(['slug_taken', 'missing_on_site', 'fields', 'file', 'content', 'changed_on_site'] as const),
    ...(['same_content', 'both_changed', 'overwrite'] as const),
  )
    .nullable()
    .defined(),
  needs_content: yup.boolean().required(),
  hash: hash().required(),
  /** Of the document as it was stored last; null where it never was. */
  document_hash: hash().nullable().defined(),
  problems: yup.array().of(ProblemRecord.required()).required(),
  error: ItemErrorRecord,
});

export type PageResult = yup.InferType<typeof PageResultRecord>;
