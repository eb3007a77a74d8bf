import { type Client, nobody, samples } from '@lyceum/core/testing';
import { expect } from 'chai';
import { MediaKit, route } from './media-kit.ts';

describe('media_converter: requests', () => {
  let kit: MediaKit;
  let film: Buffer;
  let id: number;
  let admin: Client;
  before(async () => {
    kit = await MediaKit.start({ config: { workers: 'off' } });
    admin = kit.as(await kit.lyceum.make.admin());
    film = await kit.film('640x360', 2);
    id = await kit.upload(film);
  });
  after(() => kit.stop());

  const refused = async (path: string, body: object, status: number, code: string) => {
    const answer = await kit.author.post(`${route}/${path}`, body).expect(status);
    expect(answer.body.code, JSON.stringify(body)).to.equal(code);
    return answer.body.data;
  };

  it('for formats that cannot be made are refused whole, and say which and why', async () => {
    const path = `attachments/${id}/encode`;
    expect(
      (await refused(path, { formats: ['mp4_1080', 'mp3'] }, 400, 'format_not_applicable')).formats,
    ).to.deep.equal({
      mp4_1080: 'upscale',
    });
    expect(
      (await refused(path, { formats: ['webm_av1'] }, 400, 'format_not_available')).formats,
    ).to.deep.equal(['webm_av1']);
    await refused(path, { formats: ['gif'] }, 400, 'unknown_format');
    await refused(path, { formats: [] }, 400, 'rest_invalid_param');
    await refused(path, { formats: 'mp4_480' }, 400, 'rest_invalid_param');
    await refused(path, { formats: ['mp4_480'], attachment_id: id + 1 }, 400, 'rest_invalid_param');
    await refused(path, { formats: ['mp4_480'], blog_id: 2 }, 404, 'unknown_blog');
    await refused(`${path}?blog_id=1`, { formats: ['mp4_480'], blog_id: 2 }, 400, 'rest_invalid_param');
    await refused(path, { formats: ['mp4_480'], parent_id: 999 }, 404, 'post_not_found');
    // Before the attachment is looked at.
    await refused('attachments/999/encode', { options: {} }, 400, 'job_options_not_supported');
    await refused('attachments/999/encode', {}, 404, 'attachment_not_found');
    await refused('attachments/nonsense/encode', {}, 404, 'attachment_not_found');
    await refused('encode', { formats: ['mp4_480'] }, 400, 'rest_missing_callback_param');
    expect((await kit.author.get(`${route}/queue`).expect(200)).body).to.deep.equal([]);
  });

  it('for another kind, of somebody else, from nobody or another site are refused', async () => {
    const image = await kit.author.post('svc/host/v1/media').attach('file', samples.png, 'a.png').expect(201);
    const answer = await kit.author.post(`${route}/attachments/${image.body.id}/encode`, {}).expect(400);
    expect(answer.body.code).to.equal('not_media_attachment');
    const other = kit.as(await kit.lyceum.make.user({ role: 'author' }));
    await other.post(`${route}/attachments/${id}/encode`, {}).expect(403);
    await other.get(`${route}/attachments/${id}`).expect(403);
    await kit
      .as(await kit.lyceum.make.user({ role: 'contributor' }))
      .get(`${route}/formats`)
      .expect(403);
    await kit.lyceum.as(nobody).get(`${route}/attachments/${id}`).expect(401);
    const site = await kit.lyceum.make.site();
    await admin.get(`${route}/attachments/${id}?blog_id=${site.blog_id}`).expect(404);
    expect((await admin.get(`${route}/formats?blog_id=999`).expect(404)).body.code).to.equal('unknown_blog');
    expect((await admin.get(`${route}/formats?blog_id=x`).expect(400)).body.code).to.equal('invalid_blog');
    await kit.author.get(`${route}/formats?blog_id=${site.blog_id}`).expect(403);
  });

  it('for none take the formats of the site that fit, as JSON and with the file', async () => {
    const { body } = await kit.author.post(`${route}/encode`, { attachment_id: id }).expect(202);
    expect(body).to.include({ attachment_id: id, status: 'pending' });
    expect(body.formats).to.deep.equal(['mp4_480']);
    expect(body.poll_url).to.match(new RegExp(`/${route}/queue/${body.queue_key}$`));

    const uploaded = await kit.author
      .post(`${route}/encode`)
      .attach('file', film, 'Моё видео.mp4')
      .field('formats', 'mp3,hls')
      .field('title', 'Lesson')
      .expect(202);
    expect(uploaded.body.formats).to.deep.equal(['mp3', 'hls']);
    const { body: info } = await kit.author
      .get(`${route}/attachments/${uploaded.body.attachment_id}`)
      .expect(200);
    expect(info).to.include({ title: 'Lesson', kind: 'video' });
    expect(info.queue_keys).to.deep.equal([uploaded.body.queue_key]);
    const before = await kit.lyceum.host.db.knex('attachments').pluck('post_id');
    await kit.author
      .post(`${route}/encode`)
      .attach('file', film, 'b.mp4')
      .field('formats', 'mp4_1080')
      .expect(400);
    expect(await kit.lyceum.host.db.knex('attachments').pluck('post_id')).to.deep.equal(before);
  });

  it('change settings: those of the site an administrator, those of the network its own', async () => {
    const site = kit.as(await kit.lyceum.make.user({ role: 'administrator' }));
    const changed = await site.patch(`${route}/settings`, {
      preset: 'fast',
      crf: { h264: 20, vp9: 30, av1: 30 },
    });
    expect([changed.status, changed.body.preset, changed.body.crf.h264]).to.deep.equal([200, 'fast', 20]);
    await site.patch(`${route}/settings`, { preset: 'slow', threads: 2 }).expect(403);
    expect((await site.get(`${route}/settings`).expect(200)).body).to.include({ preset: 'fast', threads: 0 });
    await admin.patch(`${route}/settings`, { threads: 2, preset: null }).expect(200);
    expect((await site.get(`${route}/settings`).expect(200)).body).to.include({
      preset: 'medium',
      threads: 2,
    });
    for (const wrong of [
      { preset: 'quick' },
      { default_formats: ['gif'] },
      { hls_segment_seconds: 1 },
      { crf: {} },
    ]) {
      const { body } = await site.patch(`${route}/settings`, wrong).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
    }
    await kit.author.patch(`${route}/settings`, { preset: 'fast' }).expect(403);
    const audited = await kit.lyceum.host.db.knex('audit_log').where('action', 'media_converter.settings');
    expect(audited).to.have.length(2);
  });

  it('are there only with ffmpeg, and the module says what is missing', async () => {
    const { body } = await admin.get('svc/modules/v1/modules/media_converter').expect(200);
    expect(body.conditions).to.deep.equal([
      { id: 'ffmpeg', title: 'ffmpeg and ffprobe are found', met: true },
    ]);
  });
});
