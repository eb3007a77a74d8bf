import type { SiteState } from '@lyceum/core';
import type { PostScope } from '../posts/post-state-store.ts';
import type { SiteWish } from '../site-wish.ts';

/** A sync, as its job begins it; settings that change meanwhile are for the next one. */
export interface SyncScope extends PostScope {
  readonly jobId: string;
  readonly wish: SiteWish;
  readonly recipe: string;
  readonly state: SiteState;
  /** Where the site lives. */
  readonly site: { readonly blog_id: number; readonly domain: string; readonly path: string };
  /** False where the weights of the model are missing: then nothing waits for a vector. */
  readonly embeds: boolean;
  /** Every vector anew. */
  readonly anew: boolean;
}
