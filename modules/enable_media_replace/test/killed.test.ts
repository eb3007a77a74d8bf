import {
  killWorker,
  runSchedule,
  samples,
  startServer,
  startTestHost,
  type TestHost,
} from '@lyceum/core/testing';
import { expect } from 'chai';
import { type Media, namedKeys, otherJpg, ReplaceKit, route, storedKeys } from './replace-kit.ts';

describe('enable_media_replace: a process that is killed', () => {
  let lyceum: TestHost;
  let kit: ReplaceKit;
  let photo: Media;
  let headers: Readonly<Record<string, string>>;
  let time: number;
  beforeEach(async () => {
    time = Date.now();
    lyceum = await startTestHost({ modules: ['enable_media_replace'], now: () => new Date(time) });
    const user = await lyceum.make.user({ role: 'editor' });
    headers = user.headers;
    kit = new ReplaceKit(lyceum, user);
    photo = await kit.upload(samples.jpg, 'photo.jpg');
  });
  afterEach(() => lyceum.stop());

  /** Resolves when a backend of another process waits for a lock. */
  async function someoneWaits(): Promise<void> {
    for (;;) {
      const { rows } = await lyceum.host.db.knex.raw(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (rows.length > 0) return;
    }
  }

  /** Sends a replacement to a process of its own and kills that when it waits for what the test has locked. */
  async function killedAt(lock: string, values: readonly number[]): Promise<void> {
    const { child, origin } = await startServer(lyceum, ['enable_media_replace']);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(otherJpg)]), 'new.jpg');
    form.set('replace_type', 'replace_and_search');
    await lyceum.host.db.knex.transaction(async (trx) => {
      await trx.raw(lock, values as number[]);
      const request = fetch(`${origin}/api/${route}/${photo.id}/replace`, {
        method: 'POST',
        headers,
        body: form,
      });
      const broken = request.then(
        () => null,
        (error: unknown) => error,
      );
      await someoneWaits();
      await killWorker(child);
      expect(await broken).to.be.instanceOf(Error);
    });
    // The server side of its connection ends when it sees that nobody is there; its locks are gone then.
    await lyceum.host.db.knex.transaction((trx) =>
      trx('attachments').where('post_id', photo.id).forUpdate().first('post_id'),
    );
  }

  const oldIsWhole = async (page: { readonly id: number }): Promise<void> => {
    expect(await kit.media(photo.id)).to.deep.equal(photo);
    expect((await kit.open(photo.url)).bytes.equals(samples.jpg)).to.equal(true);
    expect(await kit.post(page.id)).to.deep.equal(page);
    expect(await lyceum.host.db.knex('audit_log').where('module', 'enable_media_replace')).to.deep.equal([]);
    // What it had stored stays for an hour, since another process could be about to claim it.
    expect(await storedKeys(lyceum)).to.have.length(2);
    await runSchedule(lyceum, 'host.sweep-copies');
    expect(await storedKeys(lyceum)).to.have.length(2);
    time += 3_700_000;
    await runSchedule(lyceum, 'host.sweep-copies');
    expect(await storedKeys(lyceum)).to.deep.equal(await namedKeys(lyceum));
    await kit.replace(photo.id, otherJpg, 'new.jpg').expect(200);
    expect((await kit.open(photo.url)).bytes.equals(otherJpg)).to.equal(true);
  };

  it('before it has the attachment leaves the old file whole', async () => {
    const page = await kit.page({ title: 'P', content: photo.url });
    await killedAt('select 1 from attachments where post_id = ? for update', [photo.id]);
    await oldIsWhole(page);
  }).timeout(60_000);

  it('while it changes the texts leaves every text and the old file whole', async () => {
    const page = await kit.page({ title: 'P', content: photo.url });
    const last = await kit.page({ title: 'Q', content: photo.url });
    await killedAt('select 1 from posts where id = ? for update', [last.id]);
    await oldIsWhole(page);
    expect(await kit.post(last.id)).to.deep.equal(last);
  }).timeout(60_000);
});
