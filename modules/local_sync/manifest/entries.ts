import { longText, maxId, rawText, word, yup } from '@lyceum/core';

export const mostPages = 500;
export const mostFiles = 1_000;
const mostFileBytes = 10 * 1024 * 1024;
const mostBase64 = Math.ceil(mostFileBytes / 3) * 4;

/** A path is judged by itself; this bounds what is told of it. */
export const longestToldPath = 65_536;

export const projectForm = /^[a-z0-9][a-z0-9-]{0,63}$/;

const sha256 = () =>
  yup
    .string()
    .matches(/^[0-9a-f]{64}$/)
    .required();

export const editor = () => word('pagebuilder', 'block', 'turbo').default('pagebuilder');

const isFileSize = (base64: string | undefined): boolean =>
  base64 === undefined || Buffer.byteLength(base64, 'base64') <= mostFileBytes;

const Page = yup.object({
  key: yup.string().min(1).max(200).required(),
  hash: sha256(),
  title: yup.string().min(1).max(200).required(),
  slug: yup.string().max(1_000),
  post_type: word('page', 'modal').default('page'),
  status: word('draft', 'publish', 'private', 'pending').default('draft'),
  parent: yup.string().max(200).nullable().default(null),
  menu_order: yup.number().integer().min(-maxId).max(maxId).default(0),
  editor: editor(),
  content: yup.string(),
});

const File = yup.object({
  path: rawText(longestToldPath).defined(),
  sha256: sha256(),
  content_base64: longText(mostBase64)
    .matches(/^[A-Za-z0-9+/]*={0,2}$/)
    .test('bytes', 'must be at most 10 MiB', isFileSize),
});

export type PageEntry = yup.InferType<typeof Page>;
export type FileEntry = yup.InferType<typeof File>;

/** A list whose members are told apart by one of their fields. */
function distinct<T extends yup.AnyObject>(item: yup.ObjectSchema<T>, name: string, most: number) {
  return yup
    .array()
    .of(item.required())
    .max(most)
    .test('distinct', function differ(list) {
      const seen = new Set<unknown>();
      for (const [at, entry] of (list ?? []).entries()) {
        // Members that are none are told of by their own schema, beside this.
        const value = (entry as Readonly<Record<string, unknown>> | null | undefined)?.[name];
        if (value === undefined) continue;
        if (seen.has(value)) {
          return this.createError({ path: `${this.path}[${at}].${name}`, message: 'is there twice' });
        }
        seen.add(value);
      }
      return true;
    });
}

export const pageList = () => distinct(Page, 'key', mostPages).required();
export const fileList = () => distinct(File, 'path', mostFiles).default(() => []);
