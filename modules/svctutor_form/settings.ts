import { type SettingDeclaration, yup } from '@lyceum/core';

const tenYears = 3650;

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  notify_from_name: {
    title: 'Who mails about new entries are from; empty: the title of the site',
    schema: yup.string().max(100).defined(),
    default: '',
    scope: 'site',
  },
  entries_retention_days: {
    title: 'Days that entries are kept; 0: for ever',
    schema: yup.number().integer().min(0).max(tenYears).required(),
    default: 0,
    scope: 'site',
  },
};
