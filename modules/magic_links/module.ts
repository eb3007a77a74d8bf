import { Database, defineModule } from '@lyceum/core';
import { Consumption } from './consumption.ts';
import { errors } from './errors.ts';
import { landing } from './landing/landing.ts';
import { LinkStore } from './link-store.ts';
import { mailLink } from './mail-link.ts';
import { createMagicLinks } from './migrations/001-magic-links.ts';
import { consumeLink } from './operations/consume-link.ts';
import { createLink } from './operations/create-link.ts';
import { listLinks } from './operations/list-links.ts';
import { revokeLink } from './operations/revoke-link.ts';
import { forgetLinks } from './schedules.ts';
import { settingRules, settings } from './settings.ts';

export default defineModule({
  id: 'magic_links',
  title: 'Sign-in by a link',
  description: 'A link that signs somebody in once, by mail or to hand over, with a page that asks first.',
  namespaces: ['svc/magic-links/v1'],
  defaultEnabled: true,
  settings,
  settingRules,
  errors,
  tables: { magic_links: { copy: 'none' } },
  migrations: [createMagicLinks],
  services: (provide) => [
    provide(LinkStore, [], () => new LinkStore()),
    provide(Consumption, [Database, LinkStore], (db, links) => new Consumption(db, links)),
  ],
  pages: [landing],
  operations: [createLink, listLinks, revokeLink, consumeLink],
  jobs: [mailLink],
  schedules: [forgetLinks],
});
