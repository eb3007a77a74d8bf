import { type Call, id, readFields, yup } from '@lyceum/core';
import { bindPage, unbindPage } from './bindings.ts';
import { createPackage } from './create-package.ts';
import { deletePackage } from './delete-package.ts';
import { givenHtml } from './given-content.ts';
import { materializePages } from './materialize-pages.ts';
import { html, materializeFields, path, slug, statusOf, title } from './operation-parts.ts';
import { replaceContent } from './replace-content.ts';
import { updatePackage } from './update-package.ts';

/** What an act of a batch answers. */
export interface Done {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

type Act = (call: Call, item: Readonly<Record<string, unknown>>) => Promise<Done>;

/** An act with the fields that it reads. */
function act<T>(
  schema: yup.ISchema<T>,
  status: number,
  run: (call: Call, fields: T) => Promise<Readonly<Record<string, unknown>>>,
): Act {
  return async (call, item) => ({ status, body: await run(call, readFields(schema, item)) });
}

/** One for each operation that changes something, by its word in a batch. */
export const acts: Readonly<Record<string, Act>> = {
  create: act(
    yup.object({ title: title().required(), slug: slug(), html: html() }),
    201,
    async (call, fields) => {
      const content = fields.html === undefined ? null : givenHtml(call, fields.html);
      return createPackage(call, { title: fields.title, slug: fields.slug, content });
    },
  ),
  update: act(
    yup.object({ id: id().required(), title: title(), slug: slug(), entry: path() }),
    200,
    (call, { id: packageId, ...changes }) => updatePackage(call, packageId, changes, ''),
  ),
  content: act(yup.object({ id: id().required(), html: html().required() }), 200, async (call, fields) =>
    replaceContent(call, fields.id, givenHtml(call, fields.html)),
  ),
  delete: act(yup.object({ id: id().required() }), 200, (call, fields) => deletePackage(call, fields.id)),
  materialize: act(yup.object({ id: id().required(), ...materializeFields }), 200, (call, fields) => {
    const { paths, parent_id, section_id } = fields;
    const status = statusOf(call, fields.status);
    return materializePages(call, fields.id, { paths, status, parent_id, section_id });
  }),
  bind: act(
    yup.object({ page_id: id().required(), package_id: id().required(), path: path().nullable() }),
    200,
    (call, { page_id, package_id, path: bound }) =>
      bindPage(call, page_id, { package_id, path: bound ?? null }),
  ),
  unbind: act(yup.object({ page_id: id().required() }), 200, (call, fields) =>
    unbindPage(call, fields.page_id),
  ),
};
