import { readdir, readlink, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Storage } from '@lyceum/core';
import {
  avi,
  type Client,
  RawRequest,
  samples,
  startTestHost,
  type TestHost,
  type TestUser,
  wav,
} from '@lyceum/core/testing';
import { expect } from 'chai';
import { mediaRoute, rows, storedKeys, unfinished } from './media-kit.ts';

describe('host: uploading media', () => {
  let lyceum: TestHost;
  let user: TestUser;
  let author: Client;
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: [] });
    user = await lyceum.make.user({ role: 'author' });
    author = lyceum.as(user);
  });
  afterEach(async () => {
    expect(await unfinished(lyceum)).to.deep.equal([]);
    await lyceum.stop();
  });

  const upload = (content: Buffer | string, name: string, client = author) =>
    client.post(mediaRoute).attach('file', Buffer.from(content), name);
  const nothingLeft = async (): Promise<void> => {
    expect(await storedKeys(lyceum)).to.deep.equal([]);
    expect(await rows(lyceum)).to.deep.equal({ posts: 0, attachments: 0 });
  };

  it('makes an attachment with everything that is known of it', async () => {
    const answer = await author
      .post(mediaRoute)
      .field('title', 'Red field')
      .field('alt', 'A red field')
      .field('caption', '<b>Red</b>')
      .attach('file', samples.png, 'Red Field.PNG')
      .expect(201);
    const { id, url, created_at, modified_at, ...rest } = answer.body;
    expect(answer.headers.location).to.equal(
      `${lyceum.host.addresses.site({ domain: 'localhost', path: '/' })}api/${mediaRoute}/${id}`,
    );
    expect(rest).to.deep.equal({
      blog_id: 1,
      status: 'publish',
      title: 'Red field',
      slug: 'red-field',
      alt: 'A red field',
      caption: '<b>Red</b>',
      mime_type: 'image/png',
      filename: 'Red Field.PNG',
      bytes: samples.png.length,
      width: 30,
      height: 20,
      duration: null,
      source_url: null,
      parent_id: 0,
      author_id: user.id,
      meta: {},
    });
    expect(new URL(url).pathname).to.match(/^\/files\/media\/[0-9a-f]{32}\/red-field\.png$/);
    expect(created_at).to.equal(modified_at);
    const [key, ...others] = await storedKeys(lyceum);
    expect(others).to.deep.equal([]);
    expect(key).to.match(/^sites\/1\/media\/[0-9a-f]{32}\/red-field-[0-9a-f]{8}\.png$/);
    const found = await author.get(`${mediaRoute}/${id}`).expect(200);
    expect(found.body).to.deep.equal(answer.body);
  });

  it('takes title and slug from the name of the file', async () => {
    const [first, second] = await Promise.all([
      upload(samples.jpg, 'Отчёт.jpg'),
      upload(samples.jpg, 'Отчёт.jpg'),
    ]);
    expect([first.body.title, second.body.title]).to.deep.equal(['Отчёт', 'Отчёт']);
    expect([first.body.slug, second.body.slug].sort()).to.deep.equal(['otchyot', 'otchyot-2']);
    expect(first.body.url).to.not.equal(second.body.url);
    const nameless = await upload(samples.jpg, '%%%.jpg').expect(201);
    expect(nameless.body.slug).to.equal(`attachment-${nameless.body.id}`);
    expect(nameless.body.url).to.match(/\/file\.jpg$/);
  });

  it('measures pictures as they are shown', async () => {
    const turned = await upload(samples.jpgTurned, 'a.jpg').expect(201);
    expect([turned.body.width, turned.body.height]).to.deep.equal([20, 30]);
  });

  it('measures sound and films', async () => {
    const sound = await upload(wav(3), 'a.wav').expect(201);
    expect(sound.body).to.deep.include({ mime_type: 'audio/wav', duration: 3, width: null, height: null });
    const film = await upload(avi(16, 8, 20), 'a.avi').expect(201);
    expect(film.body).to.deep.include({ mime_type: 'video/vnd.avi', duration: 2, width: 16, height: 8 });
    const broken = await upload(samples.mp4, 'a.mp4').expect(201);
    expect(broken.body).to.deep.include({
      mime_type: 'video/mp4',
      duration: null,
      width: null,
      height: null,
    });
  });

  it('refuses what is not what it says, and keeps nothing of it', async () => {
    const html = '<!doctype html><script>alert(1)</script>';
    const contents: readonly (readonly [Buffer | string, string])[] = [
      [html, 'a.png'],
      ['<?php system($_GET["c"]);', 'a.png'],
      [Buffer.concat([Buffer.from('MZ\x90\0'), Buffer.alloc(500)]), 'a.png'],
      [Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(500)]), 'a.pdf'],
      ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'a.png'],
      ['#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n', 'a.mp4'],
      ['\n\n <script>alert(1)</script>', 'a.txt'],
      [samples.png, 'a.jpg'],
      [samples.png, 'a.exe'],
      // Of a type that the network does not take.
      [html, 'a.html'],
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg'],
      ['{}', 'a.json'],
      ['nothing of any kind', 'noname'],
    ];
    for (const [content, name] of contents) {
      const { status, body } = await upload(content, name);
      expect([status, body.code], `${name} ${String(content).slice(0, 20)}`).to.deep.equal([
        400,
        'media_type_not_allowed',
      ]);
    }
    await nothingLeft();
  });

  it('takes what the network allows', async () => {
    await lyceum.make.settings('host', { upload_filetypes: ['svg', 'html'] });
    await upload('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg').expect(201);
    await upload('<!doctype html><p>x', 'a.html').expect(201);
    await upload(samples.png, 'a.png').expect(400);
  });

  it('cleans names of paths and control characters', async () => {
    const name = async (given: string): Promise<string> =>
      (await upload(samples.png, given).expect(201)).body.filename;
    expect(await name('../../etc/passwd.png')).to.equal('passwd.png');
    expect(await name('C:\\fakepath\\a.png')).to.equal('a.png');
    expect(await name('a\u0001\u202egnp.png')).to.equal('agnp.png');
    expect(await name('"><img src=x>.png')).to.equal('"><img src=x>.png');
    expect(await name('.png')).to.equal('png.png');
    expect(await name('without one')).to.equal('without one.png');
    expect((await name(`${'x'.repeat(5_000)}.png`)).length).to.equal(200);
    for (const key of await storedKeys(lyceum))
      expect(key).to.match(/^sites\/1\/media\/[0-9a-f]{32}\/[a-z0-9.-]+$/);
  });

  it('refuses what is too big, and what is none', async () => {
    await lyceum.make.settings('host', { max_upload_bytes: 1_000 });
    const big = await upload(wav(1), 'a.wav').expect(413);
    expect(big.body.code).to.equal('rest_body_too_large');
    const none = await author.post(mediaRoute).field('title', 'x').expect(400);
    expect([none.body.code, none.body.data.params]).to.deep.equal(['rest_missing_callback_param', ['file']]);
    const empty = await upload('', 'a.png').expect(400);
    expect(empty.body.code).to.equal('rest_missing_callback_param');
    await author.post(mediaRoute, { title: 'x' }).expect(415);
    const long = await author
      .post(mediaRoute)
      .field('title', 'x'.repeat(501))
      .attach('file', samples.png, 'a.png');
    expect([long.status, Object.keys(long.body.data.params)]).to.deep.equal([400, ['title']]);
    await nothingLeft();
  });

  it('keeps a site within its space, also when uploads come together', async () => {
    const sound = wav(1);
    await lyceum.make.settings('host', { upload_space_bytes: sound.length * 3 });
    const site = await lyceum.make.site();
    const elsewhere = lyceum.as(await lyceum.make.user({ role: 'author', site: site.blog_id }), site);
    await upload(sound, 'a.wav', elsewhere).expect(201);
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(sound, 'a.wav')));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([
      201, 201, 201, 413, 413, 413, 413, 413,
    ]);
    const refused = answers.find(({ status }) => status === 413);
    expect(refused?.body.code).to.equal('media_quota_exceeded');
    expect((await storedKeys(lyceum)).length).to.equal(4);
    expect(await rows(lyceum)).to.deep.equal({ posts: 4, attachments: 4 });
    const kept = answers.find(({ status }) => status === 201)?.body.id;
    await author.delete(`${mediaRoute}/${kept}?force=true`).expect(200);
    await upload(sound, 'a.wav').expect(201);
  });

  it('leaves nothing of an upload that breaks off', async () => {
    const request = new RawRequest(lyceum.origin);
    const start = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';
    await request.write(
      `POST /api/${mediaRoute} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${user.headers.Authorization}\r\n` +
        `Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 9000000\r\n\r\n${start}`,
    );
    await request.write(wav(100));
    while ((await unfinished(lyceum)).length === 0) await nextTurn();
    request.cut();
    while ((await unfinished(lyceum)).length > 0) await nextTurn();
    await nothingLeft();
  });

  it('leaves nothing when the storage fails, and works again after it', async () => {
    await lyceum.host.services.host(Storage).check();
    for (const name of ['sites', '.tmp']) {
      const obstacle = path.join(lyceum.dataDir, 'files', name);
      await rm(obstacle, { recursive: true, force: true });
      await writeFile(obstacle, 'a file in place of the folder');
      const { status, body } = await upload(samples.png, 'a.png');
      expect([status, body.code], name).to.deep.equal([503, 'storage_unavailable']);
      const descriptors = await readdir('/proc/self/fd');
      const open = await Promise.all(
        descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      );
      expect(open.filter((target) => target.startsWith(lyceum.dataDir))).to.deep.equal([]);
      await rm(obstacle);
      await nothingLeft();
    }
    await upload(samples.png, 'a.png').expect(201);
  });

  it('leaves nothing when the database fails after the file was stored', async () => {
    const { knex } = lyceum.host.db;
    await knex.raw(`create function break_it() returns trigger language plpgsql as $$ begin
      if new.filename = 'die.png' then perform pg_terminate_backend(pg_backend_pid()); end if;
      raise exception 'as asked';
    end $$`);
    await knex.raw(
      'create trigger breaks before insert on attachments for each row execute function break_it()',
    );
    const refused = await upload(samples.png, 'a.png').expect(500);
    expect(refused.body.code).to.equal('internal_error');
    const lost = await upload(samples.png, 'die.png').expect(503);
    expect(lost.body.code).to.equal('database_unavailable');
    await nothingLeft();
    await knex.raw('drop trigger breaks on attachments');
    await upload(samples.png, 'a.png').expect(201);
  });

  it('has one effect under one Idempotency-Key', async () => {
    const send = () => upload(samples.png, 'a.png').set('Idempotency-Key', 'k1');
    const [first, again] = [await send().expect(201), await send().expect(201)];
    expect(again.body).to.deep.equal(first.body);
    expect(await rows(lyceum)).to.deep.equal({ posts: 1, attachments: 1 });
  });

  it('is for those who hold upload_files', async () => {
    await upload(samples.png, 'a.png', lyceum.anonymous).expect(401);
    const contributor = lyceum.as(await lyceum.make.user({ role: 'contributor' }));
    await upload(samples.png, 'a.png', contributor).expect(403);
    const session = await lyceum.make.session(user.id);
    await upload(samples.png, 'a.png', lyceum.as(session.cookie)).expect(403);
    await upload(samples.png, 'a.png', lyceum.as(session.signed)).expect(201);
  });

  it('goes to the site that blog_id names, where the right is asked for', async () => {
    const site = await lyceum.make.site();
    const there = lyceum.as(await lyceum.make.user({ role: 'author', site: site.blog_id }));
    const made = await there
      .post(`${mediaRoute}?blog_id=${site.blog_id}`)
      .attach('file', samples.png, 'a.png')
      .expect(201);
    expect(made.body.blog_id).to.equal(site.blog_id);
    expect(new URL(made.body.url).pathname.startsWith(`${site.path}files/media/`)).to.equal(true);
    const [key] = await storedKeys(lyceum);
    expect(key?.startsWith(`sites/${site.blog_id}/media/`)).to.equal(true);
    await author
      .post(`${mediaRoute}?blog_id=${site.blog_id}`)
      .attach('file', samples.png, 'a.png')
      .expect(403);
    await upload(samples.png, 'a.png', there).expect(403);
    await author.post(`${mediaRoute}?blog_id=99999`).attach('file', samples.png, 'a.png').expect(404);
  });

  it('attaches the file to a record that the caller may edit', async () => {
    const make = async (client: Client, body: object): Promise<number> =>
      (await client.post('svc/host/v1/posts', { title: 'x', ...body }).expect(201)).body.id;
    const own = await make(author, {});
    const editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
    const page = await make(editor, { type: 'page' });
    const send = (parent: number | string) =>
      author.post(mediaRoute).field('parent_id', String(parent)).attach('file', samples.png, 'a.png');
    const made = await send(own).expect(201);
    expect(made.body.parent_id).to.equal(own);
    await send(page).expect(403);
    for (const parent of [999_999, made.body.id, -1, 'x', '1e9']) {
      const { status, body } = await send(parent);
      expect([status, Object.keys(body.data.params)], String(parent)).to.deep.equal([400, ['parent_id']]);
    }
    expect((await storedKeys(lyceum)).length).to.equal(1);
  });
});
