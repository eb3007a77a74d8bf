import type { ErrorTable } from '@lyceum/core';

export const errors = {
  module_not_found: { status: 404, message: 'No such module is installed.' },
  module_toggle_refused: { status: 403, message: 'The module cannot be switched like this.' },
  module_enable_failed: { status: 500, message: 'The module refused to be switched. Nothing was changed.' },
  module_data_in_use: {
    status: 409,
    message: 'The module is on, works, or is referred to. Nothing was removed.',
  },
  multi_network_unsupported: {
    status: 409,
    message: 'An installation of a single site cannot have several networks.',
  },
  multi_network_in_use: { status: 409, message: 'More than one network exists.' },
} as const satisfies ErrorTable;
