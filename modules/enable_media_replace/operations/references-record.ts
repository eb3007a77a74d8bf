import { yup } from '@lyceum/core';

/** Records that name an address, by kind. */
export const ReferencesRecord = yup
  .object({
    posts: yup.number().integer().required(),
    terms: yup.number().integer().required(),
    options: yup.number().integer().required(),
  })
  .required();
