import type { ErrorTable } from '@lyceum/core';

export const errors = {
  import_running: { status: 409, message: 'An import into this site is running.' },
  import_bad_xml: { status: 422, message: 'The file is broken.' },
  import_forbidden_xml: { status: 422, message: 'The file has a document type or an entity of its own.' },
  import_not_wxr: { status: 422, message: 'The file is no WordPress export.' },
} as const satisfies ErrorTable;
