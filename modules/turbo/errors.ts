import type { ErrorTable } from '@lyceum/core';

export const errors = {
  turbo_no_email: { status: 400, message: 'Your account has no e-mail address to name you by.' },
  turbo_form_unavailable: { status: 503, message: 'Forms are switched off on this site.' },
  turbo_form_not_found: { status: 404, message: 'Form not found.' },
  turbo_submission_conflict: {
    status: 409,
    message: 'Something else was handed in under this submission_id.',
  },
  turbo_page_not_found: { status: 404, message: 'Page not found.' },
  turbo_static_too_large: {
    status: 422,
    message: 'The page has more or larger files than the network allows.',
  },
} as const satisfies ErrorTable;
