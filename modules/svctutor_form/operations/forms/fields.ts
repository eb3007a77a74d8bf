import { yup } from '@lyceum/core';

/** Wherever it is wrong, the page of forms has a code of its own: so any integer passes. */
const formId = () => yup.number().integer();

/** What every change of a form begins with. An empty token has a code of its own, too. */
export const claimFields = {
  id: formId().required(),
  token: yup.string().max(1_000).defined(),
};

export const formQuery = { id: formId().required() };

export const TokenRecord = yup.object({ token: yup.string().required() });
