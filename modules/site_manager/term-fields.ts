import { isPlainObject, maxId, yup } from '@lyceum/core';

/** A site status as the API shows it. */
export const SiteStatus = yup.object({
  id: yup.number().integer().required(),
  name: yup.string().required(),
  slug: yup.string().required(),
});

/** A site category as the API shows it. */
export const SiteCategory = SiteStatus.shape({ parent: yup.number().integer().required() });

const languageForm = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
const mostLanguages = 100;

function areNames(names: unknown): names is Readonly<Record<string, string>> {
  if (!isPlainObject(names)) return false;
  const given = Object.entries(names);
  const fit = ([lang, name]: [string, unknown]): boolean =>
    languageForm.test(lang) && typeof name === 'string' && name !== '' && name.length <= 200;
  return given.length <= mostLanguages && given.every(fit);
}

/** Names by language. */
const names = () =>
  yup.mixed(areNames).meta({ jsonSchema: { type: 'object', additionalProperties: { type: 'string' } } });

export const termName = () => yup.string().min(1).max(200);
export const statusFields = { slug: yup.string().min(1).max(1000), names: names() };
export const categoryFields = { ...statusFields, parent_id: yup.number().integer().min(0).max(maxId) };

/** Query of both lists. */
export const termQuery = () => ({
  search: yup.string().max(200),
  lang: yup.string().max(35).matches(languageForm),
});
