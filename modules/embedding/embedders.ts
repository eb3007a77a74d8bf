import type { Outbound, SiteState } from '@lyceum/core';
import { BuiltinEmbedder, builtin } from './providers/builtin-embedder.ts';
import type { BuiltinModel } from './providers/builtin-model.ts';
import type { Embedder } from './providers/embedder.ts';
import { OpenaiEmbedder } from './providers/openai-embedder.ts';
import type { SiteWish } from './site-wish.ts';

/** Makes the embedder that a site wishes. */
export class Embedders {
  readonly #outbound: Outbound;
  readonly model: BuiltinModel;

  constructor(outbound: Outbound, model: BuiltinModel) {
    this.#outbound = outbound;
    this.model = model;
  }

  of(wish: SiteWish, state: SiteState): Embedder {
    return wish.provider === 'builtin'
      ? new BuiltinEmbedder(this.model)
      : new OpenaiEmbedder(this.#outbound, state, wish);
  }

  /** False where the site wishes the built-in model and its weights are not installed. */
  isInstalled({ provider }: SiteWish): boolean {
    return provider !== 'builtin' || hasWeights(this.model.package);
  }
}

/** Whether a package is installed here. */
export function hasWeights(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

export const standardModel = { model: builtin.package, idleMs: 60_000 } as const;
