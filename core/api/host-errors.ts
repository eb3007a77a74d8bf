import type { ErrorTable } from './errors.ts';

/** Codes that the host answers by itself or that more than one module throws. Sorted by who throws them. */
export const hostErrors = {
  site_not_found: { status: 404, message: 'Site not found.' },
  site_unavailable: { status: 410, message: 'This site is not available.' },
  rest_no_route: { status: 404, message: 'No route was found matching the URL and request method.' },
  rest_method_not_allowed: { status: 405, message: 'This route does not accept this method.' },
  rest_forbidden: { status: 403, message: 'You are not allowed to do that.' },
  rest_not_logged_in: { status: 401, message: 'You are not logged in, or your session has ended.' },
  rest_cookie_invalid_nonce: { status: 403, message: 'The nonce is not valid.' },
  rest_missing_callback_param: { status: 400, message: 'A required parameter is missing.' },
  rest_invalid_param: { status: 400, message: 'A parameter is not valid.' },
  rest_invalid_json: { status: 400, message: 'The body is not a valid JSON object.' },
  rest_unsupported_media_type: { status: 415, message: 'The body has an unsupported content type.' },
  rest_body_too_large: { status: 413, message: 'The body is too large.' },
  rest_conflict: { status: 409, message: 'Another request changed the same record. Try again.' },
  rest_too_many_requests: { status: 429, message: 'Too many requests. Try again later.' },
  rest_upload_incomplete: { status: 400, message: 'The upload is broken or ended early.' },
  invalid_blog: { status: 400, message: 'blog_id is not valid.' },
  unknown_blog: { status: 404, message: 'No such site in this network.' },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another body.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key still runs.',
  },
  module_timeout: { status: 504, message: 'The module did not answer in time.' },
  database_unavailable: { status: 503, message: 'The database is not available. Try again.' },
  storage_unavailable: { status: 503, message: 'The file storage is not available or full. Try again.' },
  internal_error: { status: 500, message: 'Something went wrong. The log knows more under this request id.' },
  user_not_found: { status: 404, message: 'User not found.' },
  post_not_found: { status: 404, message: 'Post not found.' },
  term_not_found: { status: 404, message: 'Term not found.' },
  term_exists: { status: 409, message: 'A term with this name or slug exists already.' },
  attachment_not_found: { status: 404, message: 'Attachment not found.' },
} as const satisfies ErrorTable;

/** Codes that any operation may answer, besides its own: not repeated in each `errors` list. */
export const universalErrors: readonly string[] = [
  'site_not_found',
  'site_unavailable',
  'rest_no_route',
  'rest_method_not_allowed',
  'rest_conflict',
  'module_timeout',
  'database_unavailable',
  'internal_error',
];
