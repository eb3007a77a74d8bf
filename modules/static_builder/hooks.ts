import type { Hooks } from '@lyceum/core';
import { Builds } from './builds.ts';

export const hooks: Hooks = {
  onDisabled: ({ scope, network_id, blog_id }, { trx, get }) => {
    const builds = get(Builds);
    return builds.stopAt(trx, (query) =>
      scope === 'site' && blog_id !== null
        ? query.where('blog_id', blog_id)
        : query.whereIn('blog_id', builds.parts.store.followers(trx, network_id)),
    );
  },
  // The host has asked all jobs of the site to end.
  onSiteRemoved: ({ blog_id }, { trx, get }) => get(Builds).parts.store.stopOfSite(trx, blog_id),
};
