import { defineModule, fail, on } from '@lyceum/core';
import * as operations from './operations.ts';
import { listener } from './state.ts';

/** Asks the host for everything that a module may do wrong or right, so that tests can watch it answer. */
export default defineModule({
  id: 'probe',
  title: 'Probe',
  namespaces: ['test/probe/v1'],
  defaultEnabled: true,
  capabilities: { use_probe: { title: 'Use the probe', roles: ['editor', 'administrator'] } },
  errors: { probe_refused: { status: 409, message: 'The probe refuses.' } },
  errorsElsewhere: { 'host.delete-user': ['probe_refused'] },
  operations: Object.values(operations).flat(),
  listeners: [
    on('user.deleted', async ({ userId }, { trx }) => {
      listener.told.push(userId);
      const found = await trx('users').where({ id: userId }).first('id');
      if (!found || listener.refuses) fail('probe_refused');
    }),
  ],
});
