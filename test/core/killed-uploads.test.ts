import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { UploadFolder } from '../../core/http/upload-folder.ts';
import { startTestHost } from '../kit/index.ts';

describe('what a killed process left of uploads', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lyceum-killed-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is gone when the only process of an installation starts again', async () => {
    const uploads = path.join(folder, 'uploads');
    const halves = path.join(folder, 'files/.tmp');
    for (const left of [uploads, halves]) {
      await mkdir(left, { recursive: true });
      await writeFile(path.join(left, 'half'), 'a file');
    }
    const lyceum = await startTestHost({
      modules: [],
      config: { dataDir: folder, storageUrl: `file://${folder}/files` },
    });
    try {
      expect(await readdir(uploads)).to.deep.equal([]);
      expect(await readdir(halves)).to.deep.equal([]);
    } finally {
      await lyceum.stop();
    }
  });

  it('stays for a day where another process may still write it', async () => {
    const [young, old] = ['young', 'old'].map((name) => path.join(folder, name)) as [string, string];
    await writeFile(young, '');
    await writeFile(old, '');
    const now = Date.now();
    await utimes(old, now / 1000, now / 1000 - 25 * 60 * 60);
    await new UploadFolder(folder).sweep(false, now);
    expect(await readdir(folder)).to.deep.equal(['young']);
  });
});
