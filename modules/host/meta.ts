import { type MetaDeclaration, yup } from '@lyceum/core';

const edited = ['post', 'page', 'modal', 'course'] as const;

/** Where a document is kept that is not the content itself. Texts, whatever they hold: their hash is of the text. */
export const meta: readonly MetaDeclaration[] = [
  { on: 'post', of: edited, key: 'pagebuilder_data', schema: yup.string() },
  { on: 'post', of: edited, key: 'turbo_html', schema: yup.string() },
];
