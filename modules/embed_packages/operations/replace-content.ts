import { defineOperation, invalidParams, reply, yup } from '@lyceum/core';
import { findPackage } from '../find-package.ts';
import { givenFile, givenHtml } from '../given-content.ts';
import { common, html, longTimeoutMs, missing, namespace, packageParams, path } from '../operation-parts.ts';
import { PackageRecord, recordExample } from '../package-record.ts';
import { packageEtag } from '../present-package.ts';
import { replaceContent as replace } from '../replace-content.ts';

export const replaceContent = defineOperation({
  ...common,
  id: 'embed_packages.replace-content',
  method: 'POST',
  path: `${namespace}/packages/{id}/content`,
  summary: 'Put other content into a package',
  description:
    'Multipart with `file`, or JSON with `html`. Addresses are new; the old ones work for another hour. The content that the package has already changes nothing.',
  multipart: { file: 'file', maxBytes: (call) => call.setting<number>('max_zip_bytes'), orJson: true },
  input: { params: packageParams(), body: yup.object({ html: html(), entry: path() }) },
  output: PackageRecord,
  errors: ['embed_packages_not_found', 'embed_packages_invalid_zip', 'embed_packages_no_entry'],
  timeoutMs: longTimeoutMs,
  example: { body: { html: '<h1>Fire exits</h1>' }, answer: recordExample },
  handle: async ({ params, body, file }, call) => {
    await findPackage(call, params.id);
    if (file === null && body.html === undefined) return missing('file');
    if (file !== null && body.html !== undefined) {
      invalidParams({ html: 'must not be given together with a file' });
    }
    const given =
      file === null ? givenHtml(call, body.html ?? '') : await givenFile(call, file, body.entry ?? null);
    const record = await replace(call, params.id, given);
    return reply(record, { headers: { ETag: packageEtag(record) } });
  },
});
