import { type Html, html } from '@lyceum/core';
import type { ChunkMetadata } from './store/stored-chunk.ts';

/** In the order in which they are shown. */
const names = ['title', 'url', 'post_type', 'lang', 'heading_path', 'position', 'token_count'] as const;

const isWeb = (url: string): boolean => ['http:', 'https:'].includes(URL.parse(url)?.protocol ?? '');

/** What a chunk knows of where it comes from, as a list of definitions; every value is escaped. */
export function metadataHtml(metadata: Partial<ChunkMetadata>): string {
  const entries = names.flatMap((name) => {
    const value = metadata[name];
    return value === undefined ? [] : [html`<dt>${name}</dt><dd>${shown(name, value)}</dd>`.text];
  });
  return `<dl>${entries.join('')}</dl>`;
}

function shown(name: (typeof names)[number], value: string | number | readonly string[]): Html | string {
  if (typeof value === 'object') return value.join(' › ');
  const text = String(value);
  return name === 'url' && isWeb(text) ? html`<a href="${text}">${text}</a>` : text;
}
