import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  AttachmentCopies,
  Attachments,
  Database,
  FileReplacements,
  State,
  Storage,
  UnclaimedFiles,
  type Uploader,
} from '@lyceum/core';
import { samples, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { CopyKit } from './copy-kit.ts';

describe('site_duplicator: files that are replaced while they are copied', () => {
  let lyceum: TestHost;
  let kit: CopyKit;
  let lab: TestSite;
  let uploader: Uploader;
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: ['site_duplicator'], config: { workers: 'inline' } });
    kit = new CopyKit(lyceum, await lyceum.make.admin());
    lab = await lyceum.make.site('lab');
    const state = await service(State).read(lab.blog_id);
    if (!state) throw new Error('The site is gone.');
    uploader = {
      ...{ site: { blog_id: lab.blog_id, network_id: 1 }, user: null, ip: null, requestId: null, state },
      signal: AbortSignal.timeout(10_000),
    };
  });
  afterEach(() => lyceum.stop());

  const service = <T>(token: abstract new (...parts: never[]) => T): T =>
    lyceum.host.services.host(token as never) as T;

  /** Puts another picture in the place of the attachment's file, and removes the old one at once. */
  async function replace(id: number, content: Buffer): Promise<void> {
    const local = path.join(lyceum.dataDir, 'other.jpg');
    await writeFile(local, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const file = { path: local, bytes: content.length, sha256, name: 'other.jpg' };
    const files = service(FileReplacements);
    const found = await service(Attachments).find(lab.blog_id, id);
    if (!found?.path) throw new Error('The attachment has no file.');
    const stored = await files.store(uploader, found, file, await files.examine(uploader, file));
    const fields = { filename: found.filename, path: found.path, dropDerived: false };
    await service(Database).transaction(async (trx) => {
      const before = await service(Attachments).lock(trx, lab.blog_id, id);
      if (!before) throw new Error('The attachment is gone.');
      const now = new Date().toISOString();
      await files.put(trx, uploader, before, stored, { ...fields, modified_at: now });
    });
    await service(UnclaimedFiles).remove(found.file_key ?? '');
  }

  /** The first file that is looked at is replaced just before. */
  function replaceAtFirstLook(id: number, content: Buffer): void {
    const storage = lyceum.host.services.host(Storage);
    const stat = storage.stat.bind(storage);
    let looks = 0;
    storage.stat = async (key) => {
      looks += 1;
      if (looks === 1) await replace(id, content);
      return stat(key);
    };
  }

  it('are copied as they are then, with all that is known of them', async () => {
    const media = await kit.media(lab, 'photo.png');
    replaceAtFirstLook(media.id, samples.jpgTurned);
    const { site, result } = await kit.copy(lab.blog_id, { slug: 'copy' });
    expect(result.skipped_files).to.deep.equal([]);
    const [copy] = await kit.attachments(site);
    expect(copy).to.include({
      bytes: samples.jpgTurned.length,
      mime_type: 'image/jpeg',
      width: 20,
      height: 30,
    });
    const { pathname } = new URL(String(copy?.url));
    const bytes = Buffer.from(await (await fetch(`${lyceum.origin}${pathname}`)).arrayBuffer());
    expect(bytes.equals(samples.jpgTurned)).to.equal(true);
  });

  it('are copied as they are then, where single attachments are', async () => {
    const media = await kit.media(lab, 'photo.png');
    const source = await service(Attachments).find(lab.blog_id, media.id);
    if (!source) throw new Error('The attachment is gone.');
    replaceAtFirstLook(media.id, samples.jpg);
    const row = await service(AttachmentCopies).store(uploader, source);
    expect(row).to.include({ bytes: samples.jpg.length, mime_type: 'image/jpeg' });
    await service(AttachmentCopies).takeBack(row?.file_key ?? null);
  });
});
