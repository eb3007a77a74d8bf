import { word, yup } from '@lyceum/core';

export const ItemErrorRecord = yup
  .object({ code: yup.string().required(), message: yup.string().required() })
  .nullable()
  .defined();

export const FileResultRecord = yup.object({
  path: yup.string().defined(),
  action: word('create', 'update', 'unchanged', 'error').required(),
  needs_content: yup.boolean().required(),
  /** Where the content that was sent is served; null as long as it is not. */
  url: yup.string().nullable().defined(),
  error: ItemErrorRecord,
});

export type FileResult = yup.InferType<typeof FileResultRecord>;
