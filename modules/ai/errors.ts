import type { ErrorTable } from '@lyceum/core';

export const errors = {
  ai_conversation_not_found: { status: 404, message: 'Conversation not found.' },
  ai_conversation_busy: { status: 409, message: 'A question of this conversation is being answered.' },
  ai_message_conflict: {
    status: 409,
    message: 'This message_id was used before, with another text or in another conversation.',
  },
  ai_provider_error: { status: 502, message: 'The language model gave no usable answer.' },
  ai_not_configured: { status: 503, message: 'The address of the language model is not set.' },
  ai_busy: { status: 503, message: 'Too many questions are being answered. Try again.' },
  ai_provider_timeout: { status: 504, message: 'The language model did not answer in time.' },
} as const satisfies ErrorTable;

/** Why a message was not answered: one of the codes that clients see, or one that only its conversation shows. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Whoever asked did not wait for the answer. */
export const clientClosed: Failure = {
  code: 'ai_client_closed',
  message: 'The client went away before the answer was complete.',
};

/** The process that answered is gone. */
export const interrupted: Failure = {
  code: 'ai_interrupted',
  message: 'The answer was interrupted.',
};
