import type { ErrorTable } from '@lyceum/core';

export const errors = {
  empty_file: { status: 400, message: 'The file is empty.' },
  file_type_not_allowed: {
    status: 400,
    message: 'The content of the file is of no type that this site accepts, or its name says another type.',
  },
  mime_type_mismatch: { status: 400, message: 'The file has another type than the one it is to replace.' },
  playback_artifacts_present: {
    status: 409,
    message: 'Files for players were made of the old file. They must go with it.',
  },
  too_many_references: { status: 400, message: 'More records name the file than are changed at once.' },
  replace_failed: { status: 500, message: 'The file could not be replaced. The old one is still there.' },
} as const satisfies ErrorTable;
