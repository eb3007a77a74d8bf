import {
  type Client,
  RawRequest,
  samples,
  startTestHost,
  type TestHost,
  type TestUser,
  wav,
} from '@lyceum/core/testing';
import { expect } from 'chai';
import { type Media, otherJpg, ReplaceKit, route, storedKeys } from './replace-kit.ts';

/** A PNG whose header claims this size. */
function pngOf(width: number, height: number): Buffer {
  const png = Buffer.from(samples.png);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

describe('enable_media_replace: what is refused', () => {
  let lyceum: TestHost;
  let owner: TestUser;
  let kit: ReplaceKit;
  let photo: Media;
  let keys: string[];
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: ['enable_media_replace'] });
    owner = await lyceum.make.user({ role: 'author' });
    kit = new ReplaceKit(lyceum, owner);
    photo = await kit.upload(samples.jpg, 'photo.jpg');
    keys = await storedKeys(lyceum);
  });
  afterEach(() => lyceum.stop());

  /** Row, file and storage are what they were. */
  const untouched = async (): Promise<void> => {
    expect(await kit.media(photo.id)).to.deep.equal(photo);
    expect((await kit.open(photo.url)).bytes.equals(samples.jpg)).to.equal(true);
    expect(await storedKeys(lyceum)).to.deep.equal(keys);
    expect(await lyceum.host.db.knex('unclaimed_files')).to.deep.equal([]);
    expect(await lyceum.host.db.knex('audit_log').where('module', 'enable_media_replace')).to.deep.equal([]);
  };

  it('changes nothing, whatever is wrong with the file', async () => {
    const hostile = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const search = { replace_type: 'replace_and_search' };
    await lyceum.make.settings('host', {
      upload_filetypes: ['jpg', 'png', 'svg', 'html', 'txt', 'mp4', 'wav', 'pdf'],
    });
    const cases: readonly (readonly [string | Buffer, string, object, string, object?])[] = [
      [samples.png, 'a.png', {}, 'mime_type_mismatch', { expected: 'image/jpeg', given: 'image/png' }],
      ['<?php echo 1;', 'a.jpg', {}, 'file_type_not_allowed'],
      ['<!doctype html><script>1</script>', 'a.jpg', search, 'file_type_not_allowed'],
      ['<!doctype html><script>1</script>', 'a.html', search, 'file_type_not_allowed'],
      [hostile, 'a.svg', search, 'file_type_not_allowed'],
      [hostile, 'a.png', search, 'file_type_not_allowed'],
      ['<?xml version="1.0"?><x/>', 'a.txt', search, 'file_type_not_allowed'],
      ['#!/bin/sh', 'a.txt', search, 'file_type_not_allowed'],
      [samples.gif, 'a.gif', search, 'file_type_not_allowed'],
      [samples.png, 'a.jpg', search, 'file_type_not_allowed'],
      ['nothing known', 'a.jpg', search, 'file_type_not_allowed'],
      [pngOf(20_000, 6_000), 'a.png', search, 'invalid_media', { reason: 'picture_too_large' }],
      [
        pngOf(4_294_967_295, 4_294_967_295),
        'a.png',
        search,
        'invalid_media',
        { reason: 'picture_too_large' },
      ],
      [pngOf(0, 5), 'a.png', search, 'invalid_media', { reason: 'not_media' }],
      [samples.jpg.subarray(0, 100), 'a.jpg', {}, 'invalid_media', { reason: 'not_media' }],
    ];
    for (const [content, name, fields, code, data] of cases) {
      const { body } = await kit
        .replace(photo.id, Buffer.from(content), name, fields as Record<string, string>)
        .expect(400);
      expect(body.code, name).to.equal(code);
      if (data) expect(body.data).to.deep.equal({ status: 400, ...data });
    }
    await untouched();
  });

  it('is a picture that is broken behind its header', async function () {
    const sound = await kit.upload(wav(1), 'tone.wav');
    // Without ffprobe nobody can say.
    if (sound.duration === null) this.skip();
    keys = await storedKeys(lyceum);
    const search = { replace_type: 'replace_and_search' };
    for (const [content, name] of [
      [samples.jpg.subarray(0, -25), 'a.jpg'],
      [samples.png.subarray(0, 70), 'a.png'],
      [samples.gif.subarray(0, 30), 'a.gif'],
      // As many pixels as may be decoded, of which there are none.
      [pngOf(10_000, 10_000), 'a.png'],
    ] as const) {
      const { body } = await kit.replace(photo.id, content, name, search).expect(400);
      expect(body, name).to.deep.include({ code: 'invalid_media' });
      expect(body.data.reason).to.equal('not_media');
    }
    await untouched();
    for (const name of ['jpgTurned', 'gif', 'webpLossy', 'webpAlpha', 'avif', 'png', 'jpg'] as const) {
      const extension = /^(?:jpg|gif|webp|avif|png)/.exec(name)?.[0];
      await kit.replace(photo.id, samples[name], `a.${extension}`, search).expect(200);
    }
  });

  it('is a sound or film that nobody could play', async function () {
    const sound = await kit.upload(wav(1), 'tone.wav');
    if (sound.duration === null) this.skip();
    const broken = wav(1).subarray(0, 30);
    const { body } = await kit.replace(sound.id, broken, 'tone.wav').expect(400);
    expect(body).to.deep.include({ code: 'invalid_media' });
    expect(body.data.reason).to.be.oneOf(['not_media', 'no_duration', 'no_streams']);
    expect(await kit.media(sound.id)).to.deep.equal(sound);
    const playlist = Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n');
    const film = { replace_type: 'replace_and_search' };
    expect((await kit.replace(sound.id, playlist, 'a.mp4', film).expect(400)).body.code).to.equal(
      'file_type_not_allowed',
    );
  });

  it('is a form that lacks something or has too much', async () => {
    const post = () => kit.client.post(`${route}/${photo.id}/replace`);
    const refused = async (request: ReturnType<Client['post']>, status: number, code: string) => {
      const { body } = await request.expect(status);
      expect(body.code).to.equal(code);
      return body.data;
    };
    expect(await refused(post().field('title', 'x'), 400, 'rest_missing_callback_param')).to.deep.include({
      params: ['file'],
    });
    await refused(kit.replace(photo.id, Buffer.alloc(0), 'a.jpg'), 400, 'empty_file');
    const two = kit.replace(photo.id, otherJpg, 'a.jpg').attach('file', otherJpg, 'b.jpg');
    expect((await refused(two, 400, 'rest_invalid_param')).params).to.have.property('file');
    await refused(post().send({ file: 'x' }), 415, 'rest_unsupported_media_type');
    await refused(post().type('text/plain').send('x'), 415, 'rest_unsupported_media_type');
    const wrong: readonly (readonly [Record<string, string>, string])[] = [
      [{ replace_type: 'search' }, 'replace_type'],
      [{ timestamp_replace: '4' }, 'timestamp_replace'],
      [{ timestamp_replace: 'now' }, 'timestamp_replace'],
      [{ timestamp_replace: '3', custom_date: 'yesterday' }, 'custom_date'],
      [{ timestamp_replace: '3', custom_date: '2026-02-30T00:00:00Z' }, 'custom_date'],
      [{ timestamp_replace: '3', custom_date: '9999-01-01T00:00:00Z' }, 'custom_date'],
      [{ title: 'x'.repeat(201) }, 'title'],
      [{ title: 'a\u0000' }, 'title'],
      [{ remove_artifacts: 'maybe' }, 'remove_artifacts'],
    ];
    for (const [fields, name] of wrong) {
      const data = await refused(kit.replace(photo.id, otherJpg, 'a.jpg', fields), 400, 'rest_invalid_param');
      expect(data.params, JSON.stringify(fields)).to.have.all.keys(name);
    }
    const data = await refused(
      kit.replace(photo.id, otherJpg, 'a.jpg', { timestamp_replace: 3 }),
      400,
      'rest_missing_callback_param',
    );
    expect(data).to.deep.include({ params: ['custom_date'] });
    const soon = new Date(Date.now() + 23 * 3_600_000).toISOString();
    const late = new Date(Date.now() + 25 * 3_600_000).toISOString();
    const at = (custom_date: string) =>
      kit.replace(photo.id, otherJpg, 'a.jpg', { timestamp_replace: 3, custom_date });
    await refused(at(late), 400, 'rest_invalid_param');
    await untouched();
    await at(soon).expect(200);
  });

  it('is a file over the limit, however long it says that it is', async () => {
    await lyceum.make.settings('host', { max_upload_bytes: 500 });
    expect((await kit.info(photo.id)).max_bytes).to.equal(500);
    const large = Buffer.concat([samples.jpg, Buffer.alloc(500)]);
    const { body } = await kit.replace(photo.id, large, 'a.jpg').expect(413);
    expect(body.code).to.equal('rest_body_too_large');
    await untouched();
    await kit.replace(photo.id, otherJpg, 'a.jpg').expect(200);
  });

  it('is an upload that breaks off', async () => {
    const request = new RawRequest(lyceum.origin);
    const head = [
      `POST /api/${route}/${photo.id}/replace HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${owner.headers.Authorization}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 100000',
    ].join('\r\n');
    await request.write(
      `${head}\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`,
    );
    await request.write(samples.jpg);
    request.cut();
    await kit.replace(photo.id, samples.png, 'a.png').expect(400);
    await untouched();
  });

  it('is what nobody may: 401, 403, 404', async () => {
    const others: readonly (readonly [string, number, string])[] = [
      ['author', 403, 'rest_forbidden'],
      ['contributor', 403, 'rest_forbidden'],
      ['subscriber', 403, 'rest_forbidden'],
    ];
    for (const [role, status, code] of others) {
      const other = new ReplaceKit(lyceum, await lyceum.make.user({ role }));
      expect((await other.replace(photo.id, otherJpg, 'a.jpg').expect(status)).body.code).to.equal(code);
      expect((await other.client.get(`${route}/${photo.id}/replace-info`).expect(status)).body.code).to.equal(
        code,
      );
    }
    await lyceum.anonymous.get(`${route}/${photo.id}/replace-info`).expect(401);
    await lyceum.anonymous.post(`${route}/${photo.id}/replace`).attach('file', otherJpg, 'a.jpg').expect(401);
    const page = await new ReplaceKit(lyceum, await lyceum.make.user({ role: 'editor' })).page({
      title: 'P',
    });
    for (const id of ['0', '-1', 'x', '1.5', '99999999999', '2147483647', '../1', page.id]) {
      const { body } = await kit.replace(String(id), otherJpg, 'a.jpg').expect(404);
      expect(body.code, String(id)).to.be.oneOf(['attachment_not_found', 'rest_no_route']);
      await kit.client.get(`${route}/${id}/replace-info`).expect(404);
    }
    await untouched();
    const editor = new ReplaceKit(lyceum, await lyceum.make.user({ role: 'editor' }));
    await editor.replace(photo.id, otherJpg, 'a.jpg').expect(200);
    await kit.client.delete(`svc/host/v1/media/${photo.id}`).expect(200);
    await kit.client.get(`${route}/${photo.id}/replace-info`).expect(404);
    expect((await kit.replace(photo.id, samples.jpg, 'a.jpg').expect(404)).body.code).to.equal(
      'attachment_not_found',
    );
  });

  it('is another site than the caller has rights on; blog_id chooses one', async () => {
    const site = await lyceum.make.site();
    const author = await lyceum.make.user({ role: 'author', site: site.blog_id });
    const there = new ReplaceKit(lyceum, author, site);
    const own = await there.upload(samples.jpg, 'own.jpg');
    keys = await storedKeys(lyceum);
    const info = (client: Client, id: number, blog: unknown) =>
      client.get(`${route}/${id}/replace-info?blog_id=${blog}`);
    // From the main site by blog_id, where only the rights on the chosen site count.
    const main = lyceum.as(author);
    expect((await info(main, own.id, site.blog_id).expect(200)).body.blog_id).to.equal(site.blog_id);
    await main.get(`${route}/${own.id}/replace-info`).expect(403);
    await info(main, photo.id, site.blog_id).expect(404);
    await info(kit.client, own.id, site.blog_id).expect(403);
    await kit.client.get(`${route}/${own.id}/replace-info`).expect(404);
    for (const [blog, status, code] of [
      ['x', 400, 'invalid_blog'],
      ['0', 400, 'invalid_blog'],
      ['1.5', 400, 'invalid_blog'],
      ['987654', 404, 'unknown_blog'],
    ] as const) {
      expect((await info(kit.client, photo.id, blog).expect(status)).body.code).to.equal(code);
      await info(main, photo.id, blog).expect(403);
      const { body } = await kit.replace(photo.id, otherJpg, 'a.jpg', { blog_id: blog }).expect(status);
      expect(body.code).to.equal(code);
    }
    const network = await lyceum.make.network();
    await info(kit.client, photo.id, network.blog_id).expect(404);
    await kit.replace(photo.id, otherJpg, 'a.jpg', { blog_id: network.blog_id }).expect(404);
    await kit.replace(own.id, otherJpg, 'a.jpg', { blog_id: site.blog_id }).expect(403);
    await kit.replace(own.id, otherJpg, 'a.jpg').expect(404);
    await untouched();

    const both = await lyceum.make.user({ role: 'author' });
    await lyceum.host.db
      .knex('memberships')
      .insert({ blog_id: site.blog_id, user_id: both.id, role: 'editor' });
    const member = new ReplaceKit(lyceum, both);
    const inQuery = member.client
      .post(`${route}/${own.id}/replace?blog_id=${site.blog_id}`)
      .attach('file', otherJpg, 'a.jpg');
    expect((await inQuery.expect(200)).body.attachment_id).to.equal(own.id);
    await member.replace(own.id, samples.jpg, 'a.jpg', { blog_id: site.blog_id }).expect(200);
    const differing = member.client
      .post(`${route}/${own.id}/replace?blog_id=${site.blog_id}`)
      .field('blog_id', '1')
      .attach('file', otherJpg, 'a.jpg');
    expect((await differing.expect(400)).body.data.params).to.have.all.keys('blog_id');
    const rows = await lyceum.host.db.knex('audit_log').where('module', 'enable_media_replace');
    expect(rows.map(({ blog_id }) => blog_id)).to.deep.equal([site.blog_id, site.blog_id]);
  });

  it('is everything while the module is off on the site', async () => {
    await lyceum.host.db.knex('site_options').insert({
      blog_id: 1,
      name: 'module:enable_media_replace',
      value: 'false',
    });
    await lyceum.host.db.knex('installation').increment('revision', 1);
    expect((await kit.replace(photo.id, otherJpg, 'a.jpg').expect(404)).body.code).to.equal('rest_no_route');
    const site = await lyceum.make.site();
    const user = await lyceum.make.user({ role: 'author', site: site.blog_id });
    await lyceum.host.db.knex('memberships').insert({ blog_id: 1, user_id: user.id, role: 'author' });
    const there = new ReplaceKit(lyceum, user, site);
    // It is on there, but not on the site that the body names.
    const own = await there.upload(samples.jpg, 'own.jpg');
    await there.replace(own.id, otherJpg, 'a.jpg').expect(200);
    const away = await there.replace(photo.id, otherJpg, 'a.jpg', { blog_id: 1 }).expect(404);
    expect(away.body.code).to.equal('rest_no_route');
  });
});
