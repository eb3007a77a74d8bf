import { samples, startTestHost, type TestHost, type TestUser, wav } from '@lyceum/core/testing';
import { expect } from 'chai';
import { jobsEnded, namedKeys, otherJpg, ReplaceKit, storedKeys } from './replace-kit.ts';

describe('enable_media_replace: another file under the same address', () => {
  let lyceum: TestHost;
  let user: TestUser;
  let kit: ReplaceKit;
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: ['enable_media_replace'], config: { workers: 'inline' } });
    user = await lyceum.make.user({ role: 'editor' });
    kit = new ReplaceKit(lyceum, user);
  });
  afterEach(() => lyceum.stop());

  it('is served by the next request, and no text is touched', async () => {
    const photo = await kit.upload(samples.jpg, 'photo.jpg');
    const page = await kit.page({ title: 'P', content: `<img src="${photo.url}">` });
    const before = await kit.open(photo.url);
    expect(before.bytes.equals(samples.jpg)).to.equal(true);
    expect(before.cache).to.equal('public, max-age=0, must-revalidate');

    const { body } = await kit
      .replace(photo.id, otherJpg, 'new.jpg', { replace_type: 'replace' })
      .expect(200);
    const { created_at, modified_at, ...rest } = body;
    expect(rest).to.deep.equal({
      success: true,
      attachment_id: photo.id,
      replace_type: 'replace',
      url: photo.url,
      previous_url: photo.url,
      filename: 'photo.jpg',
      mime_type: 'image/jpeg',
      bytes: otherJpg.length,
      width: 30,
      height: 20,
      duration: null,
      references_updated: { posts: 0, terms: 0, options: 0 },
      artifacts_removed: 0,
    });
    expect(created_at).to.equal(photo.created_at);
    expect(modified_at > String(photo.modified_at)).to.equal(true);

    const after = await kit.open(photo.url);
    expect(after.bytes.equals(otherJpg)).to.equal(true);
    expect(after.etag).not.to.equal(before.etag);
    expect((await kit.open(photo.url, { 'If-None-Match': before.etag ?? '' })).status).to.equal(200);
    expect((await kit.open(photo.url, { 'If-None-Match': after.etag ?? '' })).status).to.equal(304);
    expect(await kit.post(page.id)).to.deep.equal(page);
  });

  it('changes what belongs to the file and keeps what belongs to the record', async () => {
    const { body: sound } = await kit.client
      .post('svc/host/v1/media')
      .field('title', 'A tone')
      .field('alt', 'Tone')
      .field('caption', '<i>tone</i>')
      .attach('file', wav(2), 'tone.wav')
      .expect(201);
    await kit.replace(sound.id, wav(5), 'other.wav').expect(200);
    const now = await kit.media(sound.id);
    expect(now).to.deep.equal({
      ...sound,
      bytes: wav(5).length,
      duration: sound.duration === null ? null : 5,
      modified_at: now.modified_at,
      meta: { replaced: { at: now.modified_at, user_id: user.id, count: 1 } },
    });
    await kit.replace(sound.id, wav(3), 'x.wav', { title: 'Another tone' }).expect(200);
    const twice = await kit.media(sound.id);
    expect(twice.title).to.equal('Another tone');
    expect(twice.slug).to.equal(sound.slug);
    expect((twice.meta as { replaced: { count: number } }).replaced.count).to.equal(2);
    const info = await kit.info(sound.id);
    expect(info.replaced_count).to.equal(2);
    expect(info.replaced_at).to.equal(twice.modified_at);
  });

  it('removes the old file, and notes it in the audit log', async () => {
    const photo = await kit.upload(samples.jpg, 'photo.jpg');
    const [old] = await storedKeys(lyceum);
    await kit.replace(photo.id, otherJpg, 'new.jpg').expect(200);
    await jobsEnded(lyceum);
    const keys = await storedKeys(lyceum);
    expect(keys).to.deep.equal(await namedKeys(lyceum));
    expect(keys).to.have.length(1).and.not.include(old);
    expect(await lyceum.host.db.knex('unclaimed_files')).to.deep.equal([]);
    // Whoever replaced it sees no job of his.
    expect((await kit.client.get('svc/host/v1/jobs').expect(200)).body).to.deep.equal([]);
    const [row, ...others] = await lyceum.host.db
      .knex('audit_log')
      .where({ action: 'enable_media_replace.replace' });
    expect(others).to.deep.equal([]);
    expect(row).to.include({ subject: `attachment:${photo.id}`, user_id: user.id, blog_id: 1 });
    expect(row.from).to.include({
      filename: 'photo.jpg',
      mime_type: 'image/jpeg',
      bytes: samples.jpg.length,
    });
    expect(row.to).to.deep.include({
      filename: 'photo.jpg',
      bytes: otherJpg.length,
      replace_type: 'replace',
      references_updated: { posts: 0, terms: 0, options: 0 },
    });
    expect(row.from.sha256)
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.equal(row.to.sha256);
  });

  it('sets the times that are wanted', async () => {
    const photo = await kit.upload(samples.jpg, 'photo.jpg');
    const both = (await kit.replace(photo.id, otherJpg, 'a.jpg', { timestamp_replace: 1 }).expect(200)).body;
    expect(both.created_at).to.equal(both.modified_at);
    expect(both.created_at > String(photo.created_at)).to.equal(true);
    const custom = { timestamp_replace: 3, custom_date: '2020-01-02T03:04:05Z' };
    const third = (await kit.replace(photo.id, samples.jpg, 'a.jpg', custom).expect(200)).body;
    expect(third.created_at).to.equal('2020-01-02T03:04:05.000Z');
    expect(third.modified_at > both.modified_at).to.equal(true);
    const ignored = { timestamp_replace: 2, custom_date: '2021-01-02T03:04:05Z' };
    const second = (await kit.replace(photo.id, otherJpg, 'a.jpg', ignored).expect(200)).body;
    expect(second.created_at).to.equal('2020-01-02T03:04:05.000Z');
    expect((await kit.media(photo.id)).created_at).to.equal('2020-01-02T03:04:05.000Z');
  });

  it('follows the settings of the site where nobody says', async () => {
    const photo = await kit.upload(samples.jpg, 'photo.jpg');
    await lyceum.make.settings('enable_media_replace', {
      default_replace_type: 'replace_and_search',
      default_timestamp_replace: 1,
    });
    const info = await kit.info(photo.id);
    expect(info).to.include({ replace_type: 'replace_and_search', timestamp_replace: 1 });
    const { body } = await kit.replace(photo.id, samples.png, 'new.png').expect(200);
    expect(body).to.include({ replace_type: 'replace_and_search', filename: 'new.png' });
    expect(body.created_at).to.equal(body.modified_at);
  });

  it('is found by its own words afterwards', async () => {
    const photo = await kit.upload(samples.jpg, 'photo.jpg');
    const search = async (word: string) =>
      (await kit.client.get(`svc/host/v1/media?search=${word}`).expect(200)).body.length;
    await kit.replace(photo.id, otherJpg, 'zebra.jpg', { replace_type: 'replace_and_search' }).expect(200);
    expect(await search('zebra')).to.equal(1);
    expect(await search('photo')).to.equal(1);
    await kit.replace(photo.id, samples.jpg, 'x.jpg', { title: 'Lion' }).expect(200);
    expect([await search('lion'), await search('zebra'), await search('photo')]).to.deep.equal([1, 1, 0]);
  });

  it('has one effect under one Idempotency-Key, and another file under it is refused', async () => {
    const photo = await kit.upload(samples.jpg, 'photo.jpg');
    const send = (content: Buffer) => kit.replace(photo.id, content, 'a.jpg').set('Idempotency-Key', 'once');
    const first = await send(otherJpg).expect(200);
    const second = await send(otherJpg).expect(200);
    expect(second.body).to.deep.equal(first.body);
    expect((await kit.info(photo.id)).replaced_count).to.equal(1);
    expect((await send(samples.jpg).expect(422)).body.code).to.equal('idempotency_key_reused');
  });

  it('counts only what the site grows by against its space', async () => {
    await lyceum.make.settings('host', { upload_space_bytes: samples.jpg.length + 20 });
    const photo = await kit.upload(samples.jpg, 'photo.jpg');
    await kit.replace(photo.id, otherJpg, 'a.jpg').expect(200);
    const large = Buffer.concat([samples.jpg, Buffer.alloc(100)]);
    expect((await kit.replace(photo.id, large, 'a.jpg').expect(413)).body.code).to.equal(
      'media_quota_exceeded',
    );
    await lyceum.make.settings('host', { upload_space_bytes: 1 });
    await kit.replace(photo.id, samples.jpg, 'a.jpg').expect(200);
    await jobsEnded(lyceum);
    expect(await storedKeys(lyceum)).to.have.length(1);
  });

  it('gives a file to an attachment that was imported without one', async () => {
    const [row] = await lyceum.host.db
      .knex('posts')
      .insert({
        ...{
          blog_id: 1,
          type: 'attachment',
          status: 'publish',
          title: 'Old',
          slug: 'old',
          author_id: user.id,
        },
        ...{ lang: 'en', hash: '', search: '' },
      })
      .returning('id');
    const source_url = 'https://old.example/wp-content/uploads/old.jpg';
    await lyceum.host.db.knex('attachments').insert({
      ...{ post_id: row.id, blog_id: 1, mime_type: 'image/jpeg', filename: 'old.jpg', source_url },
    });
    expect((await kit.info(row.id)).references).to.deep.equal({ posts: 0, terms: 0, options: 0 });
    const { body } = await kit.replace(row.id, samples.jpg, 'new.jpg').expect(200);
    expect(body).to.include({ previous_url: source_url, filename: 'old.jpg' });
    expect((await kit.open(body.url)).bytes.equals(samples.jpg)).to.equal(true);
  });
});
