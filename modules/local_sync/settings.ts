import { type SettingDeclaration, standardWidgets, yup } from '@lyceum/core';

const widgets = () =>
  yup
    .array()
    .of(
      yup
        .string()
        .matches(/^[a-z0-9_-]{1,64}$/)
        .required(),
    )
    .max(1_000)
    .required();

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  known_widgets: {
    title: 'Widgets that the page builder of the site has; pages with others are warned of',
    schema: widgets(),
    default: standardWidgets.known,
    scope: 'site',
  },
  nested_widgets: {
    title: 'Widgets that may hold containers',
    schema: widgets(),
    default: standardWidgets.nested,
    scope: 'site',
  },
};
