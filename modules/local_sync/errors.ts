import type { ErrorTable } from '@lyceum/core';

/** How whole requests fail. What is wrong with single pages and files is in the answer: `item-errors.ts`. */
export const errors = {
  local_sync_invalid_blog: { status: 400, message: 'blog_id is not valid.' },
  local_sync_unknown_blog: { status: 404, message: 'No such site in this network.' },
  local_sync_project_not_found: { status: 404, message: 'Project not found.' },
  local_sync_busy: { status: 409, message: 'This project is being synced now.' },
} as const satisfies ErrorTable;
