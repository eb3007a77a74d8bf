import { type Attachment, type MetaDeclaration, time, yup } from '@lyceum/core';

/** Meta of an attachment whose file was replaced at least once. */
export const replacedKey = 'replaced';

export interface Replaced {
  /** Of the last time. */
  readonly at: string;
  readonly user_id: number;
  /** How often. */
  readonly count: number;
}

export const meta: readonly MetaDeclaration[] = [
  {
    on: 'post',
    of: ['attachment'],
    key: replacedKey,
    schema: yup.object({
      at: time().required(),
      user_id: yup.number().integer().required(),
      count: yup.number().integer().required(),
    }),
    // It tells of this record; a copy has had one file only.
    copy: false,
    readOnly: true,
  },
];

/** Null for an attachment that still has its first file. */
export const replacedOf = ({ post }: Attachment): Replaced | null =>
  (post.meta[replacedKey] as Replaced | undefined) ?? null;
