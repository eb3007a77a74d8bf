import {
  Addresses,
  type Call,
  cleanFileName,
  defineOperation,
  invalidParams,
  reply,
  type UploadedFile,
  yup,
} from '@lyceum/core';
import { createPackage as create } from '../create-package.ts';
import { givenFile, givenHtml } from '../given-content.ts';
import {
  common,
  html,
  longTimeoutMs,
  missing,
  namespace,
  path,
  slug,
  title,
  titleOfFile,
} from '../operation-parts.ts';
import { PackageRecord, recordExample } from '../package-record.ts';
import { packageEtag } from '../present-package.ts';

interface Fields {
  readonly title?: string | undefined;
  readonly slug?: string | undefined;
  readonly html?: string | undefined;
  readonly entry?: string | undefined;
}

async function wishOf(call: Call, fields: Fields, file: UploadedFile | null) {
  if (file === null) {
    if (fields.title === undefined) return missing('title');
    const content = fields.html === undefined ? null : givenHtml(call, fields.html);
    return { title: fields.title, slug: fields.slug, content };
  }
  if (fields.html !== undefined) invalidParams({ html: 'must not be given together with a file' });
  return {
    title: fields.title ?? titleOfFile(cleanFileName(file.name)),
    slug: fields.slug,
    content: await givenFile(call, file, fields.entry ?? null),
  };
}

export const createPackage = defineOperation({
  ...common,
  id: 'embed_packages.create-package',
  method: 'POST',
  path: `${namespace}/packages`,
  summary: 'Make a package of an archive, of HTML, or an empty one',
  description:
    'JSON with `title` and perhaps `html`; or multipart with `file`, a zip or an HTML document, whose name is the title where none is given. `entry` is the document that an archive begins with.',
  multipart: { file: 'file', maxBytes: (call) => call.setting<number>('max_zip_bytes'), orJson: true },
  input: { body: yup.object({ title: title(), slug: slug(), html: html(), entry: path() }) },
  success: 201,
  output: PackageRecord,
  errors: ['embed_packages_invalid_zip', 'embed_packages_no_entry', 'embed_packages_create_failed'],
  timeoutMs: longTimeoutMs,
  example: { body: { title: 'Fire exits', html: '<h1>Fire exits</h1>' }, answer: recordExample },
  handle: async ({ body, file }, call) => {
    const record = await create(call, await wishOf(call, body, file));
    const Location = call.get(Addresses).route(call.site, `${namespace}/packages/${record.id}`);
    return reply(record, { headers: { Location, ETag: packageEtag(record) } });
  },
});
