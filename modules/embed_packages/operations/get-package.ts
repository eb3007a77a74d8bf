import { defineOperation, reply } from '@lyceum/core';
import { findPackage } from '../find-package.ts';
import { common, namespace, packageParams } from '../operation-parts.ts';
import { PackageRecord, recordExample } from '../package-record.ts';
import { packageEtag, presentPackage } from '../present-package.ts';

export const getPackage = defineOperation({
  ...common,
  id: 'embed_packages.get-package',
  method: 'GET',
  path: `${namespace}/packages/{id}`,
  summary: 'One package with its documents',
  input: { params: packageParams() },
  output: PackageRecord,
  errors: ['embed_packages_not_found'],
  example: { answer: recordExample },
  handle: async ({ params }, call) => {
    const record = await presentPackage(call, await findPackage(call, params.id));
    return reply(record, { headers: { ETag: packageEtag(record) } });
  },
});
