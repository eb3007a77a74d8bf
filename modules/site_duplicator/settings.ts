import { type SettingDeclaration, yup } from '@lyceum/core';

/** Names, with `*` at the end for all that begin so. */
const patterns = () =>
  yup
    .array()
    .of(
      yup
        .string()
        .min(1)
        .max(200)
        .matches(/^[^*\p{Cc}]*\*?$/u)
        .required(),
    )
    .max(1000)
    .required();

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  max_running: {
    title: 'Copies that are made at once in the network',
    schema: yup.number().integer().min(1).max(16).required(),
    default: 2,
    scope: 'network',
  },
  exclude_options: {
    title: 'Options that are not copied',
    schema: patterns(),
    default: [],
    scope: 'network',
  },
  exclude_meta: {
    title: 'Meta keys that are not copied',
    schema: patterns(),
    default: [],
    scope: 'network',
  },
};
