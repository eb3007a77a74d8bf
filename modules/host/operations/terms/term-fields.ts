import { isPlainObject, maxId, record, type TermChanges, yup } from '@lyceum/core';

/** A term as the API shows it. */
export const TermRecord = yup.object({
  id: yup.number().integer().required(),
  blog_id: yup.number().integer().required(),
  taxonomy: yup.string().required(),
  name: yup.string().required(),
  slug: yup.string().required(),
  parent: yup.number().integer().required(),
  order: yup.number().integer().required(),
  icon: yup.string().defined(),
  names: record({ type: 'string' }).required(),
  count: yup.number().integer().required(),
  meta: record().required(),
});

const languageForm = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
const mostNames = 100;

const isName = (name: unknown): boolean => typeof name === 'string' && name !== '' && name.length <= 200;

function areNames(names: unknown): boolean {
  if (!isPlainObject(names)) return names === undefined;
  const given = Object.entries(names);
  return given.length <= mostNames && given.every(([lang, name]) => languageForm.test(lang) && isName(name));
}

/** The fields of a term that a body may give, but for the taxonomy and the name. */
export const termFields = {
  slug: yup.string().max(1000),
  parent_id: yup.number().integer().min(0).max(maxId),
  order: yup.number().integer().min(-maxId).max(maxId),
  icon: yup.string().max(100),
  names: record({ type: 'string' }).test(
    'names',
    'must be names of 1 to 200 characters by language',
    areNames,
  ),
  meta: record(),
};

export const termName = () => yup.string().min(1).max(200);

type Given = Omit<TermChanges, 'names'> & { readonly names?: Readonly<Record<string, unknown>> | undefined };

/** The fields of a body as the service takes them. */
export const fieldsOf = (body: Given): TermChanges => ({
  ...body,
  names: body.names as TermChanges['names'],
});
