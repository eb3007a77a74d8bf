import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { startTestHost } from '../kit/index.ts';
import { manifestOf, PackageFolder, sayingModule, sayingPath } from '../kit/package-folder.ts';

const id = 'isolated_saying';
const rescan = 'svc/modules/v1/modules/rescan';

/** A module that says the word and its process. */
const saying = (word: string): string =>
  sayingModule(id, word).replace(`said: '${word}'`, `said: '${word} ' + process.pid`);

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await soon();
};

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('an isolated package that changes', function () {
  this.timeout(60_000);

  it('is served by a new worker; the old one ends, or goes on when the new one fails', async () => {
    const folder = await PackageFolder.make();
    const lyceum = await startTestHost({ modules: [id], folders: [folder.path] });
    try {
      const admin = lyceum.as(await lyceum.make.admin());
      const said = async (): Promise<readonly [word: string, pid: number]> => {
        const [word, pid] = (await lyceum.anonymous.get(sayingPath(id)).expect(200)).body.said.split(' ');
        return [word, Number(pid)];
      };
      const manifest = manifestOf(id, {}, { isolation: 'worker', heapMb: 128 });
      await folder.write(id, { 'package.json': manifest, 'module.js': saying('first') });
      expect((await admin.post(rescan).expect(200)).body.loaded).to.deep.equal([id]);
      const [first, before] = await said();
      expect([first, before === process.pid]).to.deep.equal(['first', false]);

      await folder.change(id, { 'module.js': saying('second') });
      expect((await admin.post(rescan).expect(200)).body.updated).to.deep.equal([id]);
      const [second, after] = await said();
      expect(second).to.equal('second');
      await until(() => !lives(before));

      await folder.change(id, { 'module.js': 'process.exit(5);' });
      const { body } = await admin.post(rescan).expect(200);
      expect(body.errors[0]).to.deep.include({ id, code: 'load_failed' });
      expect(await said()).to.deep.equal(['second', after]);

      await folder.change(id, { '': null });
      expect((await admin.post(rescan).expect(200)).body.removed).to.deep.equal([id]);
      await lyceum.anonymous.get(sayingPath(id)).expect(404);
      await until(() => !lives(after));
    } finally {
      await lyceum.stop();
      await folder.remove();
    }
  });
});
