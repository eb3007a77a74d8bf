import { expect } from 'chai';
import { hostTables } from '../../core/db/host-tables.ts';
import { startTestHost } from '../kit/index.ts';

describe('tables of the host', () => {
  it('are all named, so that no module can call one its own', async () => {
    const lyceum = await startTestHost({ modules: [] });
    try {
      const names = await lyceum.host.db
        .knex('pg_tables')
        .whereRaw('schemaname = current_schema()')
        .pluck('tablename');
      const ofModules = await lyceum.host.db.knex('module_tables').pluck('name');
      expect(names.filter((name) => !ofModules.includes(name)).sort()).to.deep.equal([...hostTables].sort());
    } finally {
      await lyceum.stop();
    }
  });
});
