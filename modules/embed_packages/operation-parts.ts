import { type Call, fail, id, readId, word, yup } from '@lyceum/core';
import { extensionAt, stemOf } from './package-path.ts';

export const namespace = 'svclms-pro/embed-packages/v1';

/** What all operations have in common. */
export const common = {
  access: { can: 'manage_network', onSingleSite: 'edit_pages' },
  site: 'selectable',
  blogCodes: { invalid: 'embed_packages_invalid_blog', unknown: 'embed_packages_unknown_blog' },
  contract: true,
} as const;

/** Storing thousands of files on a slow disk takes minutes. */
export const longTimeoutMs = 300_000;

const isNotBlank = (text: string | null | undefined): boolean => text == null || text.trim() !== '';

export const title = () => yup.string().min(1).max(200).test('blank', 'must not be blank', isNotBlank);
/** Sanitized; where nothing is left of it, it is made from the title. */
export const slug = () => yup.string().max(1_000);
/** As long as a path in an archive may be. */
export const path = () => yup.string().min(1).max(1_024);
export const html = () => yup.string().min(1);

export const packageParams = () => yup.object({ id: id().required() });

export const materializeFields = {
  paths: yup.array().of(path().required()).max(500),
  status: word('draft', 'publish'),
  parent_id: id(),
  section_id: id(),
};

/** The page of a path, or null for what can be no page: that is answered like one that is not there. */
export const pageOf = (params: { readonly page_id: string }): number | null => readId(params.page_id);

/** @throws `rest_missing_callback_param` */
export const missing = (name: string): never =>
  fail('rest_missing_callback_param', {
    message: `Missing parameter(s): ${name}`,
    data: { params: [name] },
  });

/** A title for a file that came without one. */
export function titleOfFile(name: string): string {
  const stem = extensionAt(name) === '' ? name : stemOf(name);
  return [...stem].slice(0, 200).join('') || 'package';
}

/** How pages are to be made of documents when a client does not say. */
export const statusOf = (call: Call, wanted: 'draft' | 'publish' | undefined): 'draft' | 'publish' =>
  wanted ?? call.setting('materialize_status');
