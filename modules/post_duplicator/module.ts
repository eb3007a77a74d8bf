import { defineModule } from '@lyceum/core';
import { DuplicateStore } from './duplicate-store.ts';
import { errors } from './errors.ts';
import { indexTitles } from './migrations/001-index-titles.ts';
import { operations } from './operations/index.ts';
import { settings } from './settings.ts';
import { SiteTurns } from './site-turns.ts';

export default defineModule({
  id: 'post_duplicator',
  title: 'Post duplicator',
  description: 'Copies of posts, pages, courses and forms, on the same site or on others of the network.',
  namespaces: ['svc/post-duplicator/v1'],
  defaultEnabled: true,
  settings,
  errors,
  migrations: [indexTitles],
  services: (provide) => [
    provide(DuplicateStore, [], () => new DuplicateStore()),
    provide(SiteTurns, [], () => new SiteTurns()),
  ],
  operations,
});
