import { time, word, yup } from '@lyceum/core';

const count = () => yup.number().integer().min(0).required();
const text = () => yup.string().defined();
const orNull = () => yup.string().nullable().defined();

const fields = {
  id: count(),
  blog_id: count(),
  title: text(),
  slug: text(),
  source: word('zip', 'html', 'none').required(),
  status: word('empty', 'ready').required(),
  entry: orNull(),
  url: orNull(),
  files_url: orNull(),
  revision: count(),
  files: count(),
  bytes: count(),
  content_hash: orNull(),
  bound_page_ids: yup.array().of(count()).required(),
  author_id: count(),
  created_at: time().required(),
  modified_at: time().required(),
};

/** A package in a list. */
export const PackageItem = yup.object(fields);

/** A package with its documents. */
export const PackageRecord = yup.object({
  ...fields,
  pages: yup
    .array()
    .of(yup.object({ path: text(), title: text(), url: text() }))
    .required(),
});

export const packageExample = {
  id: 7,
  blog_id: 1,
  title: 'Fire exits',
  slug: 'fire-exits',
  source: 'zip',
  status: 'ready',
  entry: 'index.html',
  url: 'https://example.org/files/embed-packages/7-0f3c9a5be1d24c77a6f2b8e09d11c345/1/index.html',
  files_url: 'https://example.org/files/embed-packages/7-0f3c9a5be1d24c77a6f2b8e09d11c345/1/',
  revision: 1,
  files: 3,
  bytes: 20_480,
  content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  bound_page_ids: [12],
  author_id: 1,
  created_at: '2026-03-01T10:00:00.000Z',
  modified_at: '2026-03-01T10:00:00.000Z',
} as const;

export const recordExample = {
  ...packageExample,
  pages: [
    {
      path: 'index.html',
      title: 'Fire exits',
      url: packageExample.url,
    },
  ],
};
