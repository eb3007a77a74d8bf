import { flag, type SettingDeclaration, yup } from '@lyceum/core';

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  reserved_slugs: {
    title: 'Slugs that no site may take',
    schema: yup.array().of(yup.string().min(1).max(200).required()).max(1000).required(),
    default: [],
    scope: 'network',
  },
  default_public: {
    title: 'Whether a new site is public',
    schema: flag().required(),
    default: 1,
    scope: 'network',
  },
  removed_site_retention_days: {
    title: 'Days after which a removed site whose data were kept is purged',
    schema: yup.number().integer().min(1).max(365).required(),
    default: 30,
    scope: 'network',
  },
};
