import { defineOperation, reply, yup } from '@lyceum/core';
import { common, namespace, packageParams, path, slug, title } from '../operation-parts.ts';
import { PackageRecord, recordExample } from '../package-record.ts';
import { packageEtag } from '../present-package.ts';
import { updatePackage as update } from '../update-package.ts';

export const updatePackage = defineOperation({
  ...common,
  id: 'embed_packages.update-package',
  method: 'PATCH',
  path: `${namespace}/packages/{id}`,
  summary: 'Rename a package, or let it begin with another document',
  description: 'With `If-Match` only if it is still as it was read.',
  input: {
    params: packageParams(),
    body: yup.object({ title: title(), slug: slug(), entry: path() }),
  },
  output: PackageRecord,
  errors: ['embed_packages_not_found', 'embed_packages_no_entry', 'precondition_failed'],
  example: { body: { title: 'Fire exits 2026' }, answer: recordExample },
  handle: async ({ params, body }, call) => {
    const record = await update(call, params.id, body, call.header('if-match'));
    return reply(record, { headers: { ETag: packageEtag(record) } });
  },
});
