import { Courses } from '@lyceum/module/lms';
import { expect } from 'chai';
import { startTestHost } from '../kit/index.ts';

// The import above is the test: no host was started when it was resolved.
describe('the api of a module', () => {
  it('can be imported by test files before any host was started, and is that of the host', async () => {
    const lyceum = await startTestHost({ modules: ['lms'] });
    try {
      const spec = lyceum.host.modules.get('lms')?.spec;
      if (!spec) throw new Error('The module lms does not load.');
      expect(lyceum.host.services.resolve(spec)(Courses)).to.be.instanceOf(Courses);
    } finally {
      await lyceum.stop();
    }
  });
});
