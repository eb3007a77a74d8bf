import type { ErrorTable } from '@lyceum/core';

export const errors = {
  invalid_id: { status: 400, message: 'id must be at least 1.' },
  invalid_post_type: { status: 400, message: 'This record is not a form.' },
  entity_not_found: { status: 404, message: 'This form is in the trash.' },
  invalid_permissions: { status: 403, message: 'You are not allowed to do that with this form.' },
  empty_token: { status: 400, message: 'The token is empty. Read the form for the current one.' },
  invalid_json: { status: 400, message: 'The text is not the JSON of an object.' },
  invalid_runner: { status: 400, message: 'The runner must be autoscroll, chat or classic.' },
  invalid_token: { status: 400, message: 'The form was changed meanwhile.' },
  svctutor_form_entry_not_found: { status: 404, message: 'Entry not found.' },
  svctutor_form_outdated: { status: 409, message: 'The entry was made with another version of the form.' },
  svctutor_form_invalid_entry: { status: 400, message: 'The entry does not fit the form.' },
  mail_failed: { status: 502, message: 'The notification could not be sent.' },
} as const satisfies ErrorTable;

/** Entries are handed in by operations of other modules. */
export const errorsElsewhere: Readonly<Record<string, readonly string[]>> = {
  'turbo.submit-form': ['svctutor_form_outdated', 'svctutor_form_invalid_entry'],
};
