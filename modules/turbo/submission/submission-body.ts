import { canonicalTag, id, json, yup } from '@lyceum/core';

const mostFields = 500;
const longestWord = 1_000;

const sum = () => yup.string().matches(/^[0-9a-fA-F]{64}$/);
const word = () => yup.string().max(longestWord).defined();

const field = yup.object({
  key: word(),
  name: yup.string().defined(),
  type: word(),
  slot: word(),
  datatype: word(),
  node: yup.object({ id: word(), context: json() }).required(),
  value: json(),
  string: yup.string().defined(),
  time: json(),
});

const tag = () =>
  yup
    .string()
    .max(35)
    .test(
      'language',
      'must be a language tag of BCP 47',
      (given) => given === undefined || canonicalTag(given) !== null,
    );

/** What a runner hands in. */
export const SubmissionBody = yup.object({
  form_id: id().required(),
  exportables: yup
    .object({
      fingerprint: sum().required(),
      stencil: sum().required(),
      fields: yup.array().of(field.required()).max(mostFields).required(),
    })
    .required(),
  actionables: yup
    .object({
      fingerprint: sum().required(),
      stencil: sum().required(),
      nodes: yup.array().of(json()).max(mostFields).required(),
    })
    .nullable()
    .default(null),
  submission_id: yup.string().uuid(),
  page_id: id(),
  language: tag(),
  locale: tag(),
});
