import { createHash } from 'node:crypto';
import type { MetaValues, Post } from '@lyceum/core';

/** The post type of forms. */
export const formType = 'form';

/** Programs in the browser that can show a form. */
export const runners = ['autoscroll', 'chat', 'classic'] as const;
export type Runner = (typeof runners)[number];

/** Parts of a form that are JSON texts of their own, each kept under `form_<part>`. */
export const jsonParts = ['styles', 'l10n', 'hooks', 'trackers', 'shortcode'] as const;
export type JsonPart = (typeof jsonParts)[number];

/** SHA-256 sums that the builder computes: of the definition, and of what its entries look like. */
export const hashes = ['fingerprint', 'stencil', 'actionables'] as const;
export type FormHash = (typeof hashes)[number];

/** The seven stored texts, as they are. */
export type FormTexts = Readonly<Record<'definition' | 'runner' | JsonPart, string>>;

/** What stands for a part that was never saved. */
export const blank = { runner: 'autoscroll', json: '{}', hash: '' } as const;

/** The meta key that keeps a part. */
export const metaKey = (part: 'runner' | JsonPart | FormHash): string => `form_${part}`;

type Kept = Pick<Post, 'content' | 'meta'>;

function stored(meta: MetaValues, part: 'runner' | JsonPart | FormHash, standard: string): string {
  const value = Object.hasOwn(meta, metaKey(part)) ? meta[metaKey(part)] : undefined;
  return typeof value === 'string' ? value : standard;
}

export const textsOf = ({ content, meta }: Kept): FormTexts => ({
  definition: content,
  runner: stored(meta, 'runner', blank.runner),
  styles: stored(meta, 'styles', blank.json),
  l10n: stored(meta, 'l10n', blank.json),
  hooks: stored(meta, 'hooks', blank.json),
  trackers: stored(meta, 'trackers', blank.json),
  shortcode: stored(meta, 'shortcode', blank.json),
});

export const hashOf = ({ meta }: Pick<Post, 'meta'>, name: FormHash): string =>
  stored(meta, name, blank.hash);

/** What a token is made of, in this order. */
const tokenParts = ['definition', 'runner', 'styles', 'l10n', 'hooks', 'trackers', 'shortcode'] as const;

/**
 * The token of a form as it stands: whoever sends it has seen these seven texts. Computed at each request, so that a
 * write by any route makes it another.
 */
export function tokenOf(post: Kept): string {
  const texts = textsOf(post);
  const sum = createHash('md5');
  for (const part of tokenParts) sum.update(texts[part], 'utf8');
  return sum.digest('hex');
}
