import type { ErrorTable } from '@lyceum/core';

export const errors = {
  not_media_attachment: { status: 400, message: 'The attachment is neither video nor audio.' },
} as const satisfies ErrorTable;
