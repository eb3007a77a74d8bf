import type { ErrorTable } from '@lyceum/core';

export const errors = {
  studio_sync_bad_connect_request: { status: 400, message: 'This is no request to connect.' },
  studio_sync_bad_disconnect_request: { status: 400, message: 'connection_id is missing or no text.' },
  studio_sync_invalid_content: { status: 400, message: 'The document breaks rules of its editor.' },
  studio_sync_missing_auth: { status: 401, message: 'An access token is needed: Authorization: Bearer …' },
  studio_sync_invalid_token: { status: 401, message: 'This access token is not valid.' },
  studio_sync_invalid_connect_token: {
    status: 401,
    message: 'This connect token is not valid, or not any more.',
  },
  studio_sync_connection_revoked: { status: 403, message: 'The connection was revoked. Connect again.' },
  studio_sync_connection_mismatch: { status: 403, message: 'The token belongs to another connection.' },
  studio_sync_insufficient_permissions: { status: 403, message: 'You may not do that on this site.' },
  studio_sync_connection_not_found: { status: 404, message: 'Connection not found.' },
  studio_sync_post_not_found: { status: 404, message: 'Document not found.' },
  studio_sync_revision_not_found: { status: 404, message: 'Revision not found.' },
  studio_sync_too_many_connections: {
    status: 409,
    message: 'You have too many connections. Revoke one and try again.',
  },
  studio_sync_editor_mismatch: { status: 409, message: 'The document has another editor now.' },
  studio_sync_conflict: { status: 409, message: 'The document was changed since you read it.' },
} as const satisfies ErrorTable;
