import type { ErrorTable } from '@lyceum/core';

export const errors = {
  svctutor_bot_not_found: { status: 404, message: 'Bot not found.' },
  svctutor_bot_limit: { status: 409, message: 'The site has as many bots of this kind as it may have.' },
  svctutor_bot_api_error: {
    status: 502,
    message: 'The platform of the bot did not do what it was asked for.',
  },
  svctutor_bot_origin_forbidden: { status: 403, message: 'Pages of this origin may not use the chat.' },
  svctutor_bot_event_conflict: { status: 409, message: 'This id was used before, for another event.' },
  svctutor_bot_send_failed: { status: 502, message: 'The answer could not be sent.' },
  svctutor_bot_disabled: { status: 409, message: 'The bot was switched off before all was sent.' },
} as const satisfies ErrorTable;

/** Why a message ended as it did: a code and words that may be shown. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}
