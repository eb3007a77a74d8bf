import { type SettingDeclaration, word, yup } from '@lyceum/core';

const mebi = 1024 * 1024;
const bytes = (most: number) => yup.number().integer().min(1).max(most);

/** A text of a request has at most as many. */
const mostHtmlBytes = 5 * mebi;

export const settings = {
  max_zip_bytes: {
    title: 'Bytes of an archive',
    schema: bytes(4096 * mebi),
    default: 512 * mebi,
    scope: 'network',
  },
  max_unpacked_bytes: {
    title: 'Bytes of a package, unpacked',
    schema: bytes(16_384 * mebi),
    default: 2048 * mebi,
    scope: 'network',
  },
  max_files: {
    title: 'Files of a package',
    schema: yup.number().integer().min(1).max(100_000),
    default: 10_000,
    scope: 'network',
  },
  max_html_bytes: {
    title: 'Bytes of a single HTML document',
    schema: bytes(mostHtmlBytes),
    default: mostHtmlBytes,
    scope: 'network',
  },
  max_ratio: {
    title: 'How many times its packed size an archive may be',
    schema: yup.number().integer().min(1).max(1_100),
    default: 200,
    scope: 'network',
  },
  materialize_status: {
    title: 'Status of pages that are made of documents',
    schema: word('draft', 'publish'),
    default: 'draft',
    scope: 'site',
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;
