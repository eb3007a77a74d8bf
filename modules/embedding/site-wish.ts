import { createHash } from 'node:crypto';
import type { SettingsService, SiteState } from '@lyceum/core';
import type { ChunkSize } from './chunking/pack-units.ts';
import { builtin } from './providers/builtin-embedder.ts';

export const moduleId = 'embedding';

/** What the settings of a site ask for. */
export interface SiteWish {
  readonly provider: 'builtin' | 'openai';
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
  readonly dimensions: number | null;
  readonly postTypes: readonly string[];
  readonly size: ChunkSize;
  readonly autoSync: boolean;
  readonly maxChunks: number;
}

export function readWish(settings: SettingsService, state: SiteState): SiteWish {
  const spec = state.modules.get(moduleId)?.spec;
  if (!spec) throw new Error('The module "embedding" is not installed.');
  const value = <T>(name: string): T => settings.value(spec, name, state) as T;
  return {
    provider: value('provider'),
    url: value('provider_url'),
    key: value<string | null>('provider_key') || null,
    model: value('model'),
    dimensions: value('dimensions'),
    postTypes: value('post_types'),
    size: { most: value('chunk_max_tokens'), overlap: value('chunk_overlap_tokens') },
    autoSync: value('auto_sync'),
    maxChunks: value('max_chunks'),
  };
}

export const isConfigured = ({ provider, url }: SiteWish): boolean => provider === 'builtin' || url !== '';

/** Whoever makes the vectors, as settings name him: known before he was asked for the first one. */
export function embedderKey({ provider, model, dimensions }: SiteWish): string {
  return provider === 'builtin' ? builtin.id : `openai:${model}:${dimensions ?? 'auto'}`;
}

/** The same by what came of it: vectors of one id can be compared with each other. */
export const embedderId = ({ provider, model }: SiteWish, dimensions: number): string =>
  provider === 'builtin' ? builtin.id : `openai:${model}:${dimensions}`;

/** Languages whose texts the embedder knows; null for all. */
export const languagesOf = ({ provider }: SiteWish): readonly string[] | null =>
  provider === 'builtin' ? builtin.languages : null;

/** The way in which texts become chunks; raised when the code that cuts them gives others. */
const cutting = 1;

/**
 * All that decides what chunks of a text are, beside the text. A store of another recipe is stale.
 * @param embeds false where the weights of the model are missing
 */
export const recipeOf = (wish: SiteWish, embeds: boolean): string =>
  createHash('sha256')
    .update(JSON.stringify([cutting, embeds, embedderKey(wish), wish.size.most, wish.size.overlap]))
    .digest('hex');
