import { defineModule } from '@lyceum/core';
import { errors } from './errors.ts';
import { checkLicense } from './jobs/check-license.ts';
import { createLicenses } from './migrations/create-licenses.ts';
import { activateLicense } from './operations/activate-license.ts';
import { deactivateLicense } from './operations/deactivate-license.ts';
import { getData } from './operations/get-data.ts';
import { getStatus } from './operations/get-status.ts';
import { listProducts } from './operations/list-products.ts';
import { planChecks } from './schedules/plan-checks.ts';
import { giveSeatsOfSiteBack } from './seat-store.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'license',
  title: 'Licenses',
  description: 'Keys of commercial products, and whether they hold. Nothing is refused because of one.',
  namespaces: ['svc/license/v1'],
  defaultEnabled: true,
  settings,
  errors,
  tables: {
    licenses: { copy: 'none' },
    license_seats: { copy: 'none' },
    license_turns: { copy: 'none' },
  },
  migrations: [createLicenses],
  operations: [listProducts, activateLicense, deactivateLicense, getStatus, getData],
  jobs: [checkLicense],
  schedules: [planChecks],
  services,
  hooks: {
    onSiteRemoved: (site, { trx }) => giveSeatsOfSiteBack(trx, site),
  },
});
