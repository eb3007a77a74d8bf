import { createHash } from 'node:crypto';
import { readdir, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { killWorker, startServer, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PostKit, type Shown } from './post-kit.ts';

const mega = 1024 * 1024;
/** Large enough to be streamed. */
const bigBytes = 300 * mega;

describe('post_duplicator: a process that is killed', () => {
  let lyceum: TestHost;
  let kit: PostKit;
  let there: TestSite;

  beforeEach(async () => {
    lyceum = await startTestHost({ modules: ['post_duplicator', 'lms'] });
    kit = new PostKit(lyceum, await lyceum.make.admin());
    there = await lyceum.make.site();
  });
  afterEach(() => lyceum.stop());

  /** The attachment has a file of zeros, that takes no room on the disk. */
  async function blowUp({ id }: Shown): Promise<void> {
    const { knex } = lyceum.host.db;
    const { file_key } = await knex('attachments').where('post_id', id).first('file_key');
    await truncate(path.join(lyceum.dataDir, 'files', file_key), 0);
    await truncate(path.join(lyceum.dataDir, 'files', file_key), bigBytes);
    const hash = createHash('sha256');
    for (let at = 0; at < bigBytes; at += mega) hash.update(Buffer.alloc(mega));
    await knex('attachments')
      .where('post_id', id)
      .update({ bytes: bigBytes, sha256: hash.digest('hex') });
  }

  /** Half-written files of a megabyte and more. */
  async function halves(): Promise<string[]> {
    const folder = path.join(lyceum.dataDir, 'files', '.tmp');
    const names = await readdir(folder).catch(() => []);
    const sizes = await Promise.all(names.map((name) => stat(path.join(folder, name)).catch(() => null)));
    return names.filter((_name, at) => (sizes[at]?.size ?? 0) >= mega);
  }

  it('while it copies files leaves no post, and nothing of the files after the next start', async () => {
    const small = await kit.media('small.txt', {}, undefined, Buffer.from('small'));
    const big = await kit.media('big.txt', {}, undefined, Buffer.from('big'));
    await blowUp(big);
    const content = `<a href="${small.url}">s</a><a href="${big.url}">b</a>`;
    const page = await kit.create({ type: 'page', title: 'Big', content });
    const before = await kit.keys();
    const server = await startServer(lyceum, ['post_duplicator', 'lms']);
    const request = fetch(`${server.origin}/api/svc/post-duplicator/v1/posts/${page.id}/duplicate`, {
      method: 'POST',
      headers: { ...kit.identity.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ target_blog_id: there.blog_id }),
    });
    const broken = request.then(
      () => null,
      (error: unknown) => error,
    );
    while ((await halves()).length === 0) await wait(2);
    await killWorker(server.child);
    expect(await broken).to.be.instanceOf(Error);

    expect(await kit.count(there.blog_id, 'page')).to.equal(0);
    expect(await kit.count(there.blog_id, 'attachment')).to.equal(0);
    // The small file came first, and nobody knows of it.
    expect(await kit.keys()).to.have.length(before.length + 1);
    expect(await halves()).to.have.length(1);
    const again = await startTestHost({ modules: ['post_duplicator', 'lms'], beside: lyceum });
    await again.stop();
    expect(await kit.keys()).to.deep.equal(before);
    expect(await halves()).to.deep.equal([]);

    const copy = await kit.copy(page.id, { target_blog_id: there.blog_id });
    expect(copy).to.deep.include({ slug: 'big', attachments: 2 });
    expect(await lyceum.host.db.knex('unclaimed_files')).to.deep.equal([]);
    expect(await kit.keys()).to.have.length(before.length + 2);
  }).timeout(120_000);
});
