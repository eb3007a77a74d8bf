import { Storage, StorageFull } from '@lyceum/core';
import { killWorker, runSchedule, startServer } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PackageKit, smallExport, space } from './package-kit.ts';
import { zipOf } from './zip-maker.ts';

const hour = 3_600_000;

describe('embed_packages: when it goes wrong', () => {
  let kit: PackageKit;
  let time: number;
  beforeEach(async () => {
    time = Date.now();
    kit = await PackageKit.start({ now: () => new Date(time) });
  });
  afterEach(() => kit.lyceum.stop());

  /** Lets the storage fail at its nth write or removal from now on, until it is given back. */
  function failing(method: 'write' | 'removeFolder', at: number, error: Error): () => void {
    const storage = kit.lyceum.host.services.host(Storage);
    const whole = storage[method].bind(storage) as (...given: unknown[]) => Promise<never>;
    let calls = 0;
    storage[method] = async (...given: unknown[]) => {
      calls += 1;
      if (calls >= at) throw error;
      return whole(...given);
    };
    return () => {
      storage[method] = whole as never;
    };
  }

  it('a full disk at any file of a new package leaves nothing, and the next one works', async () => {
    const before = await kit.files();
    for (const at of [1, 2, 3]) {
      for (const error of [new StorageFull(null), new Error('EIO: i/o error')]) {
        const restore = failing('write', at, error);
        const { body } = await kit.upload(zipOf(smallExport)).expect(500);
        expect(body.code).to.equal('embed_packages_create_failed');
        expect(body.message).to.not.contain('EIO');
        restore();
      }
    }
    expect(await kit.files()).to.deep.equal(before);
    for (const table of ['embed_packages', 'embed_package_files', 'embed_package_remains']) {
      expect(await kit.count(table), table).to.equal(0);
    }
    await kit.package();
  });

  it('a full disk leaves the old content of a package, and the next one works', async () => {
    const record = await kit.package();
    const before = await kit.files();
    const restore = failing('write', 2, new StorageFull(null));
    const news = zipOf({ ...smallExport, 'c.html': 'c' });
    const { body } = await kit.replace(record.id, news).expect(503);
    expect(body.code).to.equal('storage_unavailable');
    restore();
    expect(await kit.files()).to.deep.equal(before);
    expect((await kit.admin.get(`${space}/packages/${record.id}`)).body).to.deep.equal(record);
    expect((await kit.replace(record.id, news).expect(200)).body.revision).to.equal(2);
  });

  it('what cannot be removed now is removed by the sweep of another day', async () => {
    const restore = failing('removeFolder', 1, new Error('EIO'));
    const full = failing('write', 2, new StorageFull(null));
    await kit.upload(zipOf(smallExport)).expect(500);
    full();
    expect(await kit.count('embed_package_remains')).to.equal(1);
    await runSchedule(kit.lyceum, 'embed_packages.sweep');
    time += 3 * hour;
    await runSchedule(kit.lyceum, 'embed_packages.sweep');
    expect(await kit.count('embed_package_remains')).to.equal(1);
    restore();
    await runSchedule(kit.lyceum, 'embed_packages.sweep');
    expect(await kit.count('embed_package_remains')).to.equal(0);
    expect((await kit.files()).filter((name) => name.includes('embed-packages/'))).to.deep.equal([]);
  });

  it('an upload that breaks off changes nothing', async () => {
    const record = await kit.package();
    const before = await kit.files();
    const body = zipOf({ 'index.html': 'x'.repeat(100) });
    const cut = body.subarray(0, body.length - 10);
    const answer = await kit.replace(record.id, cut).expect(400);
    expect(answer.body.data.reason).to.equal('not_zip');
    const head = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n';
    const broken = await fetch(`${kit.lyceum.origin}/api/${space}/packages/${record.id}/content`, {
      method: 'POST',
      headers: { ...kit.identity.headers, 'Content-Type': 'multipart/form-data; boundary=B' },
      body: Buffer.concat([Buffer.from(head), body]),
    });
    expect(broken.status).to.equal(400);
    expect(((await broken.json()) as { code: string }).code).to.equal('rest_upload_incomplete');
    expect(await kit.files()).to.deep.equal(before);
    expect((await kit.admin.get(`${space}/packages/${record.id}`)).body).to.deep.equal(record);
  });

  /** Resolves when a backend of another process waits for a lock. */
  async function someoneWaits(): Promise<void> {
    for (;;) {
      const { rows } = await kit.lyceum.host.db.knex.raw(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (rows.length > 0) return;
    }
  }

  it('a process that is killed before the switch leaves the old content; what it stored is swept up', async () => {
    const record = await kit.package();
    const before = await kit.files();
    const { child, origin } = await startServer(kit.lyceum, ['embed_packages']);
    await kit.lyceum.host.db.knex.transaction(async (trx) => {
      await trx.raw('select 1 from embed_packages where id = ? for update', [record.id]);
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(zipOf({ ...smallExport, 'c.html': 'c' }))]), 'x.zip');
      const url = `${origin}/api/${space}/packages/${record.id}/content`;
      const request = fetch(url, { method: 'POST', headers: kit.identity.headers, body: form });
      const broken = request.then(
        () => null,
        (error: unknown) => error,
      );
      await someoneWaits();
      await killWorker(child);
      expect(await broken).to.be.instanceOf(Error);
    });
    expect((await kit.admin.get(`${space}/packages/${record.id}`)).body).to.deep.equal(record);
    const stored = (files: readonly string[]) => files.filter((name) => name.includes('embed-packages/'));
    expect(stored(await kit.files())).to.have.length(3 + 4);
    time += 3 * hour;
    await runSchedule(kit.lyceum, 'embed_packages.sweep');
    expect(stored(await kit.files())).to.deep.equal(stored(before));
    expect((await kit.ask(record.url)).status).to.equal(200);
    expect((await kit.replace(record.id, zipOf({ 'index.html': 'n' })).expect(200)).body.revision).to.equal(
      2,
    );
  }).timeout(60_000);

  it('content that was swept up under an upload is not shown', async () => {
    const record = await kit.package();
    const storage = kit.lyceum.host.services.host(Storage);
    const write = storage.write.bind(storage);
    storage.write = async (...given) => {
      const stored = await write(...given);
      await kit.lyceum.host.db.knex('embed_package_remains').delete();
      return stored;
    };
    const { body } = await kit.replace(record.id, zipOf({ 'index.html': 'n' })).expect(503);
    expect(body.code).to.equal('storage_unavailable');
    storage.write = write;
    expect((await kit.admin.get(`${space}/packages/${record.id}`)).body).to.deep.equal(record);
  });
});
