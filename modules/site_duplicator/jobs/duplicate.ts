import { siteCopyJob } from '@lyceum/core';

/** Makes the copy that a request reserved. */
export const duplicate = siteCopyJob({
  id: 'site_duplicator.duplicate',
  title: 'Copy a site',
  rules: 'site_duplicator',
  audit: { module: 'site_duplicator', action: 'site.duplicate' },
});
