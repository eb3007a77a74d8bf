import { type SettingDeclaration, word, yup } from '@lyceum/core';

const names = (form: RegExp) =>
  yup.array().of(yup.string().min(1).max(200).matches(form).required()).max(1000).required();

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  title_suffix: {
    title: 'Suffix of the titles of copies',
    schema: yup.string().max(50).defined(),
    default: '(copy)',
    scope: 'site',
  },
  default_status: {
    title: 'Status of copies',
    schema: word('draft', 'pending', 'private').required(),
    default: 'draft',
    scope: 'site',
  },
  post_types: {
    title: 'Types whose records may be duplicated; null for all that can be',
    schema: names(/^[a-z][a-z0-9_-]*$/).nullable(),
    default: null,
    scope: 'site',
  },
  exclude_meta: {
    title: 'Meta keys that are not copied',
    schema: names(/^[^*\p{Cc}]*\*?$/u),
    default: [],
    scope: 'site',
  },
  exclude_taxonomies: {
    title: 'Taxonomies whose terms are not copied',
    schema: names(/^[a-z][a-z0-9_-]*$/),
    default: [],
    scope: 'site',
  },
};
