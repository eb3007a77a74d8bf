import type { SettingDeclaration } from '@lyceum/core';
import { yup } from '@lyceum/core';

const onOff = () => yup.boolean().required();

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  disable_auto_addition_data: {
    title: 'Whether a course is menu and pages alone: no header, no previous and next, no marks of progress',
    schema: onOff(),
    default: false,
    scope: 'site',
  },
  not_include_media_files_build: {
    title: 'Whether files of the site stay links to it',
    schema: onOff(),
    default: false,
    scope: 'site',
  },
  save_external_files: {
    title: 'Whether files of other hosts are fetched into a package; null: yes',
    schema: yup.boolean().nullable().defined(),
    default: null,
    scope: 'site',
  },
  use_sections: {
    title: 'Whether sections are groups of the menu',
    schema: onOff(),
    default: true,
    scope: 'site',
  },
  max_build_bytes: {
    title: 'Bytes of the files of a build',
    schema: yup
      .number()
      .integer()
      .min(1)
      .max(2 ** 50)
      .required(),
    default: 10 * 1024 ** 3,
    scope: 'network',
  },
  max_pages: {
    title: 'Pages of a build',
    schema: yup.number().integer().min(1).max(2_000).required(),
    default: 2_000,
    scope: 'network',
  },
  concurrency: {
    title: 'Builds at once in the installation',
    schema: yup.number().integer().min(1).max(8).required(),
    default: 1,
    scope: 'network',
  },
};
