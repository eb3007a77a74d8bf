import type { Access } from '@lyceum/core';

export const namespace = 'svc/local-sync/v1';

/** Whoever runs the network; where there is one site, whoever edits its pages. */
export const access: Access = { can: 'manage_network', onSingleSite: 'edit_pages' };

export const blogCodes = { invalid: 'local_sync_invalid_blog', unknown: 'local_sync_unknown_blog' } as const;
