import { idText, time, yup } from '@lyceum/core';

export const bindingParams = () => yup.object({ page_id: idText() });

/** What a page shows. */
export const BindingRecord = yup.object({
  page_id: yup.number().integer().required(),
  package_id: yup.number().integer().nullable().defined(),
  path: yup.string().nullable().defined(),
  path_missing: yup.boolean().required(),
  package_exists: yup.boolean().required(),
  title: yup.string().nullable().defined(),
  url: yup.string().nullable().defined(),
  materialized: yup.boolean().required(),
  updated_at: time().nullable().defined(),
});

export const bindingExample = {
  page_id: 12,
  package_id: 7,
  path: null,
  path_missing: false,
  package_exists: true,
  title: 'Fire exits',
  url: 'https://example.org/files/embed-packages/7-0f3c9a5be1d24c77a6f2b8e09d11c345/1/index.html',
  materialized: false,
  updated_at: '2026-03-01T10:00:00.000Z',
};
