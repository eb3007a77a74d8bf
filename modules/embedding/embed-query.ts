import type { SettingsService, State } from '@lyceum/core';
import { type ChunkStore, primaryLanguage, type QueryToEmbed, type QueryVector } from '@lyceum/module/rag';
import type { Embedders } from './embedders.ts';
import { EmbeddingError } from './providers/embedder.ts';
import { embedderKey, isConfigured, languagesOf, moduleId, readWish, type SiteWish } from './site-wish.ts';

/** Milliseconds that a question waits for its vector; without it, it is answered by its words alone. */
const queryMs = 5_000;

/** A longer question is cut for the detector: a few lines tell a language. */
const detectedCharacters = 1_000;

/** Words from which a language can be told. */
const tellingWords = 4;

export interface QueryParts {
  readonly state: State;
  readonly settings: SettingsService;
  readonly chunks: ChunkStore;
  readonly embedders: Embedders;
}

/** The vector of a question, where the site's embedder knows its language; null where there is none to be had. */
export async function embedQuery(parts: QueryParts, asked: QueryToEmbed): Promise<QueryVector | null> {
  const state = await parts.state.read(asked.blogId);
  if (!state?.isOn(moduleId)) return null;
  const wish = readWish(parts.settings, state);
  if (!isConfigured(wish) || !parts.embedders.isInstalled(wish)) return null;
  const store = await parts.chunks.find(asked.blogId);
  if (!store || store.dimensions === null || store.asked !== embedderKey(wish)) return null;
  const late = AbortSignal.timeout(queryMs);
  try {
    if (!(await knowsLanguage(parts.embedders, wish, asked, late))) return null;
    const [vector] = await parts.embedders.of(wish, state).embed([asked.query], late, queryMs);
    if (!vector || vector.length !== store.dimensions) return null;
    return { embedder: store.embedder, vector };
  } catch (error) {
    if (error instanceof EmbeddingError || late.aborted) return null;
    throw error;
  }
}

/** Whether the question is in a language that the embedder knows: by its script, its words, or what the asker says. */
async function knowsLanguage(
  { model }: Embedders,
  wish: SiteWish,
  { query, lang }: QueryToEmbed,
  signal: AbortSignal,
): Promise<boolean> {
  const languages = languagesOf(wish);
  if (languages === null) return true;
  if (!isLatin(query)) return false;
  const { language, reliable } = await model.language(query.slice(0, detectedCharacters), signal);
  if (languages.includes(language)) return true;
  // Names and terms look like any language.
  const isShort = query.trim().split(/\s+/, tellingWords).length < tellingWords;
  if (reliable && !isShort) return false;
  return lang === null || languages.includes(primaryLanguage(lang));
}

/** Most of the letters are Latin ones; languages of the built-in embedder are written with them. */
function isLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return letters > 0 && latin * 2 > letters;
}
