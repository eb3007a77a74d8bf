import { defineOperation, yup } from '@lyceum/core';
import { materializePages as materialize } from '../materialize-pages.ts';
import {
  common,
  longTimeoutMs,
  materializeFields,
  namespace,
  packageParams,
  statusOf,
} from '../operation-parts.ts';

const pageId = () => yup.number().integer().required();

export const materializePages = defineOperation({
  ...common,
  id: 'embed_packages.materialize-pages',
  method: 'POST',
  path: `${namespace}/packages/{id}/materialize-pages`,
  summary: 'Make a page for each document of a package',
  description: 'A document that a page shows already gets no other one.',
  input: { params: packageParams(), body: yup.object(materializeFields) },
  output: yup.object({
    package_id: yup.number().integer().required(),
    created: yup
      .array()
      .of(
        yup.object({
          page_id: pageId(),
          path: yup.string().required(),
          title: yup.string().defined(),
          slug: yup.string().defined(),
          url: yup.string().defined(),
        }),
      )
      .required(),
    existing: yup
      .array()
      .of(yup.object({ page_id: pageId(), path: yup.string().required() }))
      .required(),
    total: yup.number().integer().required(),
  }),
  errors: ['embed_packages_not_found', 'embed_packages_page_not_found', 'embed_packages_no_content'],
  timeoutMs: longTimeoutMs,
  example: {
    body: { status: 'publish' },
    answer: {
      package_id: 7,
      created: [
        {
          page_id: 12,
          path: 'index.html',
          title: 'Fire exits',
          slug: 'fire-exits',
          url: 'https://example.org/fire-exits/',
        },
      ],
      existing: [],
      total: 1,
    },
  },
  handle: ({ params, body }, call) => {
    const { paths, parent_id, section_id } = body;
    const status = statusOf(call, body.status);
    return materialize(call, params.id, { paths, status, parent_id, section_id });
  },
});
