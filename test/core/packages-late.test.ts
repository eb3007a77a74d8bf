import { expect } from 'chai';
import { startTestHost } from '../kit/index.ts';
import { PackageFolder, sayingModule, sayingPath } from '../kit/package-folder.ts';

const ids = ['late_import', 'late_migration', 'late_start', 'late_none', 'late_statement'] as const;
const [importing, migrating, starting, quick, long] = ids;

describe('packages that are late', () => {
  it('are given up after 10 s, and the others are served', async function () {
    this.timeout(120_000);
    const folder = await PackageFolder.make();
    const lyceum = await startTestHost({ modules: [...ids], folders: [folder.path] });
    try {
      const admin = lyceum.as(await lyceum.make.admin());
      const never = 'new Promise(() => {})';
      await folder.write(importing, { 'module.js': `await ${never};\n${sayingModule(importing, 'x')}` });
      await folder.write(starting, {
        'module.js': sayingModule(starting, 'x').replace(
          'operations:',
          `hooks: { start: () => ${never} }, operations:`,
        ),
      });
      const steps = (up: string): string =>
        `import { defineMigration } from '@lyceum/core';\nconst steps = [defineMigration({ id: '001', up: async (trx) => { ${up} } })];\n`;
      const migrates = (id: string, up: string): string =>
        steps(up) + sayingModule(id, 'here').replace('operations:', 'migrations: steps, operations:');
      await folder.write(migrating, {
        'module.js': migrates(
          migrating,
          `await trx.raw('create table late_rows (id integer)'); await ${never};`,
        ),
      });
      await folder.write(long, { 'module.js': migrates(long, `await trx.raw('select pg_sleep(11)');`) });
      await folder.write(quick, { 'module.js': sayingModule(quick, 'here') });
      const began = performance.now();
      const { body } = await admin.post('svc/modules/v1/modules/rescan').expect(200);
      // The imports run beside each other, and so do the starts.
      expect(performance.now() - began).to.be.within(39_000, 80_000);
      expect(body.loaded).to.deep.equal([quick, long]);
      const messages = body.errors.map(({ id, code, message }: Record<string, string>) => [
        id,
        code,
        message,
      ]);
      expect(messages).to.deep.equal([
        [
          importing,
          'load_failed',
          'Error: Loading took longer than 10 s; what takes time belongs into hooks.start.',
        ],
        [migrating, 'migration_failed', 'Migration 001: did nothing with its transaction for 10 s.'],
        [starting, 'load_failed', 'start: start of late_start took longer than 10000 ms.'],
      ]);
      await lyceum.anonymous.get(sayingPath(quick)).expect(200, { said: 'here' });
      await lyceum.anonymous.get(sayingPath(starting)).expect(404);
      const { rows } = await lyceum.host.db.knex.raw(`select to_regclass('late_rows') as found`);
      expect(rows).to.deep.equal([{ found: null }]);
    } finally {
      await lyceum.stop();
      await folder.remove();
    }
  });
});
