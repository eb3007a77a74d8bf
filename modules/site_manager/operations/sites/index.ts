import type { Operation } from '@lyceum/core';
import { activateSite } from './activate-site.ts';
import { archiveSite } from './archive-site.ts';
import { changeSite } from './change-site.ts';
import { checkSlug } from './check-slug.ts';
import { createSite } from './create-site.ts';
import { deactivateSite } from './deactivate-site.ts';
import { listSites } from './list-sites.ts';
import { readSite } from './read-site.ts';
import { unarchiveSite } from './unarchive-site.ts';

export const operations: readonly Operation[] = [
  listSites,
  createSite,
  checkSlug,
  readSite,
  changeSite,
  archiveSite,
  unarchiveSite,
  activateSite,
  deactivateSite,
];
