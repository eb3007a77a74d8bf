import type { ErrorTable } from '@lyceum/core';

export const errors = {
  not_video_attachment: { status: 400, message: 'The attachment is no video.' },
  no_applicable_formats: {
    status: 400,
    message: 'None of the default formats can be made of this attachment.',
  },
  job_options_not_supported: { status: 400, message: 'Options are set through the settings.' },
  unknown_format: { status: 400, message: 'There is no such format.' },
  format_not_available: {
    status: 400,
    message: 'The format is switched off, or this ffmpeg cannot make it.',
  },
  format_not_applicable: { status: 400, message: 'The format cannot be made of this attachment.' },
  format_already_queued: { status: 409, message: 'The format is being made already.' },
  queue_not_found: { status: 404, message: 'Queue entry not found.' },
  format_not_found: { status: 404, message: 'The entry has no such format.' },
  cannot_cancel: { status: 409, message: 'The format has ended.' },
  nothing_to_retry: { status: 409, message: 'No format of the entry failed or was cancelled.' },
  too_many_stills: { status: 400, message: 'An attachment has at most 240 stills.' },
  artifact_not_found: { status: 404, message: 'No such file.' },
  artifact_exists: { status: 409, message: 'There is a file of this name.' },
  artifact_busy: { status: 409, message: 'A file of this folder is being written.' },
  folder_not_found: { status: 404, message: 'No such folder.' },
  nothing_to_pack: { status: 400, message: 'The attachment has no such files.' },
  encode_failed: { status: 500, message: 'The encoding failed.' },
  encode_timeout: { status: 500, message: 'The encoding took too long.' },
  encode_interrupted: { status: 500, message: 'The encoding was interrupted three times.' },
  source_missing: { status: 500, message: 'The file of the attachment is missing or was replaced.' },
  disk_full: { status: 500, message: 'There is no space for the result.' },
} as const satisfies ErrorTable;
