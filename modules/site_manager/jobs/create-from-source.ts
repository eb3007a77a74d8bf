import { siteCopyJob } from '@lyceum/core';

/** Makes a new site as a copy of another one. */
export const createFromSource = siteCopyJob({
  id: 'site_manager.create_from_source',
  title: 'Create a site from another one',
  rules: 'site_duplicator',
  audit: { module: 'site_manager', action: 'site.create' },
});
