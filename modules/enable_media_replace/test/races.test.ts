import { FileReplacements, StorageFull } from '@lyceum/core';
import { runSchedule, samples, startTestHost, type TestHost, type TestUser } from '@lyceum/core/testing';
import { expect } from 'chai';
import { jobsEnded, type Media, namedKeys, otherJpg, ReplaceKit, storedKeys } from './replace-kit.ts';
import { once, StorageGate } from './storage-gate.ts';

const search = { replace_type: 'replace_and_search' };

const picture = (number: number): Buffer => Buffer.concat([samples.jpg, Buffer.from(`number ${number}`)]);

describe('enable_media_replace: several at once, and failures', () => {
  let lyceum: TestHost;
  let user: TestUser;
  let kit: ReplaceKit;
  let gate: StorageGate;
  let photo: Media;
  let time: number;
  beforeEach(async () => {
    time = Date.now();
    lyceum = await startTestHost({
      modules: ['enable_media_replace'],
      config: { workers: 'inline' },
      now: () => new Date(time),
    });
    user = await lyceum.make.user({ role: 'editor' });
    kit = new ReplaceKit(lyceum, user);
    gate = new StorageGate(lyceum);
    photo = await kit.upload(samples.jpg, 'photo.jpg');
  });
  afterEach(() => lyceum.stop());

  /** Every stored file is that of an attachment, and nobody waits to be swept up. */
  const tidy = async (): Promise<void> => {
    await jobsEnded(lyceum);
    expect(await storedKeys(lyceum)).to.deep.equal(await namedKeys(lyceum));
    expect(await lyceum.host.db.knex('unclaimed_files')).to.deep.equal([]);
  };
  const untouched = async (): Promise<void> => {
    expect(await kit.media(photo.id)).to.deep.equal(photo);
    expect((await kit.open(photo.url)).bytes.equals(samples.jpg)).to.equal(true);
  };

  it('all succeed, one after the other, and the last one stays', async () => {
    const numbers = Array.from({ length: 8 }, (_none, number) => number);
    const answers = await Promise.all(
      numbers.map((number) => kit.replace(photo.id, picture(number), 'a.jpg').expect(200)),
    );
    expect(answers).to.have.length(8);
    const { bytes } = await kit.open(photo.url);
    expect(numbers.some((number) => bytes.equals(picture(number)))).to.equal(true);
    expect((await kit.info(photo.id)).replaced_count).to.equal(8);
    await tidy();
  });

  it('with new names form a chain of addresses, at whose end every text is', async () => {
    const page = await kit.page({ title: 'P', content: photo.url });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const answers = await Promise.all(
      names.map((name) => kit.replace(photo.id, samples.png, `${name}.png`, search).expect(200)),
    );
    const next = new Map(answers.map(({ body }) => [body.previous_url, body.url]));
    let url = photo.url;
    for (let step = 0; step < names.length; step += 1) url = next.get(url) ?? 'broken';
    expect((await kit.post(page.id)).content).to.equal(url);
    expect((await kit.open(url)).status).to.equal(200);
    await tidy();
  });

  it('give two attachments two names, and texts that name both the right ones', async () => {
    const other = await kit.upload(samples.jpg, 'other.jpg');
    const content = `${photo.url} ${other.url}`;
    const pages = [];
    for (let at = 0; at < 3; at += 1) pages.push(await kit.page({ title: `P${at}`, content }));
    await kit.client.patch(`svc/host/v1/media/${photo.id}`, { caption: content }).expect(200);
    await kit.client.patch(`svc/host/v1/media/${other.id}`, { caption: content }).expect(200);
    const answers = await Promise.all(
      [photo, other].map(({ id }) => kit.replace(id, samples.png, 'new.png', search).expect(200)),
    );
    const [first, second] = answers.map(({ body }) => body);
    expect([first.filename, second.filename].sort()).to.deep.equal(['new-2.png', 'new.png']);
    for (const page of pages) {
      expect((await kit.post(page.id)).content).to.equal(`${first.url} ${second.url}`);
    }
    expect((await kit.media(other.id)).caption).to.equal(`${first.url} ${second.url}`);
    await tidy();
  });

  it('check the type against the file that is there by then', async () => {
    gate.beforeWrite = once(() => kit.replace(photo.id, samples.png, 'new.png', search).expect(200));
    const { body } = await kit.replace(photo.id, otherJpg, 'a.jpg').expect(400);
    expect(body).to.deep.include({ code: 'mime_type_mismatch' });
    expect(body.data).to.include({ expected: 'image/png', given: 'image/jpeg' });
    expect((await kit.media(photo.id)).mime_type).to.equal('image/png');
    await tidy();
  });

  it('meet an attachment that goes meanwhile', async () => {
    for (const force of ['', '?force=true']) {
      const gone = await kit.upload(samples.jpg, 'gone.jpg');
      gate.beforeWrite = once(() => kit.client.delete(`svc/host/v1/media/${gone.id}${force}`).expect(200));
      const { body } = await kit.replace(gone.id, otherJpg, 'a.jpg').expect(404);
      expect(body.code).to.equal('attachment_not_found');
      await tidy();
    }
    // The other way round: whatever comes first, nothing is left of a deleted one.
    for (let round = 0; round < 5; round += 1) {
      const gone = await kit.upload(samples.jpg, 'gone.jpg');
      const [replaced] = await Promise.all([
        kit.replace(gone.id, otherJpg, 'a.jpg'),
        kit.client.delete(`svc/host/v1/media/${gone.id}?force=true`).expect(200),
      ]);
      expect(replaced.status).to.be.oneOf([200, 404]);
      await tidy();
    }
    await untouched();
  });

  it('check the right against the owner that is there by then', async () => {
    const author = await lyceum.make.user({ role: 'author' });
    const own = new ReplaceKit(lyceum, author);
    const mine = await own.upload(samples.jpg, 'mine.jpg');
    gate.beforeWrite = once(() =>
      lyceum.host.db.knex('posts').where({ id: mine.id }).update({ author_id: user.id }),
    );
    await own.replace(mine.id, otherJpg, 'a.jpg').expect(403);
    await tidy();
  });

  it('give readers the old or the new bytes, and nothing else', async () => {
    const known = [samples.jpg, ...Array.from({ length: 12 }, (_none, number) => picture(number))];
    let replacing = true;
    const read = async (): Promise<number> => {
      let reads = 0;
      while (replacing || reads === 0) {
        const { status, bytes } = await kit.open(photo.url);
        expect(status).to.equal(200);
        expect(known.some((one) => one.equals(bytes))).to.equal(true);
        reads += 1;
      }
      return reads;
    };
    const readers = Array.from({ length: 6 }, read);
    for (const content of known.slice(1)) await kit.replace(photo.id, content, 'a.jpg').expect(200);
    replacing = false;
    const reads = await Promise.all(readers);
    expect(reads.reduce((sum, one) => sum + one, 0)).to.be.at.least(50);
    await tidy();
  });

  it('give the new bytes to a reader who came before and reads after', async () => {
    for (const method of ['GET', 'HEAD', 'range'] as const) {
      gate.beforeRead = once(async () => {
        await kit.replace(photo.id, method === 'HEAD' ? samples.jpg : otherJpg, 'a.jpg').expect(200);
        await jobsEnded(lyceum);
      });
      const range = method === 'range' ? { Range: 'bytes=-11' } : undefined;
      const { pathname } = new URL(photo.url);
      const answer = await fetch(`${lyceum.origin}${pathname}`, {
        method: method === 'HEAD' ? 'HEAD' : 'GET',
        ...(range && { headers: range }),
      });
      expect(answer.status, method).to.equal(range ? 206 : 200);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (method === 'GET') expect(bytes.equals(otherJpg)).to.equal(true);
      if (method === 'HEAD') expect(answer.headers.get('content-length')).to.equal(`${samples.jpg.length}`);
      if (method === 'range') expect(bytes.toString()).to.equal('another one');
    }
  });

  it('leave the old file where the storage fails, and the next one works', async () => {
    const failures = [new Error('EIO: i/o error'), new StorageFull('no space')];
    for (const failure of failures) {
      gate.beforeWrite = once(() => Promise.reject(failure));
      const { body } = await kit.replace(photo.id, otherJpg, 'a.jpg').expect(500);
      expect(body.code).to.equal('replace_failed');
      expect(JSON.stringify(body)).not.to.include('EIO');
      await untouched();
      await tidy();
    }
    await kit.replace(photo.id, otherJpg, 'a.jpg').expect(200);
    await tidy();
  });

  it('leave the old file where the database fails', async () => {
    const page = await kit.page({ title: 'P', content: photo.url });
    const { knex } = lyceum.host.db;
    await knex.raw(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'as asked'; end $$;
      create trigger refuse before insert on audit_log for each row execute function refuse();
    `);
    for (const fields of [{}, search]) {
      const { body } = await kit.replace(photo.id, otherJpg, 'a.jpg', fields).expect(500);
      expect(body).to.deep.equal({
        code: 'replace_failed',
        message: 'The file could not be replaced. The old one is still there.',
        data: { status: 500 },
      });
      await untouched();
      expect(await kit.post(page.id)).to.deep.equal(page);
      await tidy();
    }
    await knex.raw('drop trigger refuse on audit_log');
    await kit.replace(photo.id, otherJpg, 'a.jpg', search).expect(200);
    await tidy();
  });

  it('leave the old file where the connection to the database ends', async () => {
    const { knex } = lyceum.host.db;
    const files = lyceum.host.services.host(FileReplacements);
    const put = files.put.bind(files);
    files.put = async (trx, ...rest) => {
      const done = await put(trx, ...rest);
      const { rows } = await trx.raw('select pg_backend_pid() as pid');
      await knex.raw('select pg_terminate_backend(?)', [rows[0].pid]);
      return done;
    };
    const { body, headers } = await kit.replace(photo.id, otherJpg, 'a.jpg').expect(503);
    expect(body.code).to.equal('database_unavailable');
    expect(headers['retry-after']).to.match(/^\d+$/);
    files.put = put;
    await untouched();
    await tidy();
    await kit.replace(photo.id, otherJpg, 'a.jpg').expect(200);
  });

  it('try to remove the old file until it is gone', async () => {
    let failures = 0;
    gate.beforeRemove = async () => {
      failures += 1;
      throw new Error('EIO: i/o error');
    };
    const [old] = await storedKeys(lyceum);
    await kit.replace(photo.id, otherJpg, 'a.jpg').expect(200);
    while (failures === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await storedKeys(lyceum)).to.include(old);
    expect((await kit.open(photo.url)).bytes.equals(otherJpg)).to.equal(true);
    gate.beforeRemove = async () => undefined;
    // Should the job fail for good, the sweep takes the file, but not while somebody may be at work with one.
    await runSchedule(lyceum, 'host.sweep-copies');
    expect(
      await lyceum.host.db.knex('jobs').where('type', 'host.delete_file').pluck('user_id'),
    ).to.deep.equal([null]);
    time += 3_700_000;
    await runSchedule(lyceum, 'host.sweep-copies');
    expect(await storedKeys(lyceum)).to.deep.equal(await namedKeys(lyceum));
  });

  it('end without an answer, but not without an effect, for a client that goes when all is sent', async () => {
    const going = new AbortController();
    gate.beforeWrite = once(async () => going.abort());
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(otherJpg)]), 'a.jpg');
    const address = `${lyceum.origin}/api/svc/enable-media-replace/v1/attachments/${photo.id}/replace`;
    const headers = { ...user.headers, 'Idempotency-Key': 'gone' };
    const gone = await fetch(address, { method: 'POST', headers, body: form, signal: going.signal }).catch(
      () => null,
    );
    expect(gone).to.equal(null);
    // Asked again under its key, it is told what came of it.
    for (;;) {
      const again = await fetch(address, { method: 'POST', headers, body: form });
      if (again.status === 409) continue;
      expect(again.status).to.equal(200);
      break;
    }
    expect((await kit.info(photo.id)).replaced_count).to.equal(1);
    expect((await kit.open(photo.url)).bytes.equals(otherJpg)).to.equal(true);
    await tidy();
  });
});
