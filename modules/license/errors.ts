import type { ErrorTable } from '@lyceum/core';

export const errors = {
  license_product_not_found: { status: 404, message: 'No module is sold as this product.' },
  license_refused: { status: 403, message: 'The license key was refused.' },
  license_server_not_configured: { status: 409, message: 'No license server is configured for this key.' },
  license_busy: { status: 409, message: 'Another change of this license is going on. Try again.' },
  license_server_unreachable: { status: 502, message: 'The license server did not give a usable answer.' },
} as const satisfies ErrorTable;
