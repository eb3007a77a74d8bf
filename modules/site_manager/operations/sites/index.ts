import type { Operation } from '@lyceum/core';
import { activateSite } from './activate-site.ts';
import { archiveSite } from './archive-site.ts';
import { bulkSites } from './bulk-sites.ts';
import { changeSite } from './change-site.ts';
import { checkSlug } from './check-slug.ts';
import { createSite } from './create-site.ts';
import { deactivateSite } from './deactivate-site.ts';
import { listRemoved } from './list-removed.ts';
import { listSites } from './list-sites.ts';
import { readSite } from './read-site.ts';
import { removeSite } from './remove-site.ts';
import { restoreSite } from './restore-site.ts';
import { unarchiveSite } from './unarchive-site.ts';

export const operations: readonly Operation[] = [
  listSites,
  createSite,
  checkSlug,
  bulkSites,
  listRemoved,
  readSite,
  changeSite,
  removeSite,
  restoreSite,
  archiveSite,
  unarchiveSite,
  activateSite,
  deactivateSite,
];
