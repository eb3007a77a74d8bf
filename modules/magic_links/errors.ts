import type { ErrorTable } from '@lyceum/core';

export const errors = {
  magic_links_ssl: { status: 400, message: 'A link may be used over an encrypted connection only.' },
  magic_links_invalid: { status: 403, message: 'This link is not valid, or not any more.' },
  magic_links_forbidden_user: { status: 403, message: 'You may not make links for this user.' },
  magic_links_user_not_found: { status: 404, message: 'No such user on this site.' },
  magic_links_not_found: { status: 404, message: 'Link not found.' },
  magic_links_limit: { status: 409, message: 'This user has too many live links.' },
  magic_links_not_live: { status: 409, message: 'The link is no longer live.' },
} as const satisfies ErrorTable;
