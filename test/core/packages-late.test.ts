import { expect } from 'chai';
import { startTestHost } from '../kit/index.ts';
import { PackageFolder, sayingModule, sayingPath } from '../kit/package-folder.ts';

const ids = ['late_import', 'late_start', 'late_none'] as const;
const [importing, starting, quick] = ids;

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
      await folder.write(quick, { 'module.js': sayingModule(quick, 'here') });
      const began = performance.now();
      const { body } = await admin.post('svc/modules/v1/modules/rescan').expect(200);
      // The imports run beside each other, and so do the starts.
      expect(performance.now() - began).to.be.within(19_000, 40_000);
      expect(body.loaded).to.deep.equal([quick]);
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
        [starting, 'load_failed', 'start: start of late_start took longer than 10000 ms.'],
      ]);
      await lyceum.anonymous.get(sayingPath(quick)).expect(200, { said: 'here' });
      await lyceum.anonymous.get(sayingPath(starting)).expect(404);
    } finally {
      await lyceum.stop();
      await folder.remove();
    }
  });
});
