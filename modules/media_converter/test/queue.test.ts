import { type Client, nobody, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { MediaKit, route } from './media-kit.ts';

const isRunning = ({ status, percent }: { status: string; percent: number }): boolean =>
  status === 'running' && percent > 0;

describe('media_converter: the queue', () => {
  let kit: MediaKit;
  let admin: Client;
  let slow: Buffer;
  let short: Buffer;
  before(async () => {
    kit = await MediaKit.start();
    admin = kit.as(await kit.lyceum.make.admin());
    slow = await kit.slowFilm(20);
    await kit.lyceum.make.settings('media_converter', { preset: 'veryslow' });
    short = await kit.film('320x180', 1);
  });
  after(() => kit.stop());

  it('stops a running ffmpeg, and leaves nothing of what it wrote', async () => {
    const id = await kit.upload(slow);
    const key = await kit.encode(id, ['mp4_480', 'mp3'].slice(0, 1));
    await kit.until(key, isRunning);
    expect(await kit.encoders()).to.have.length(1);
    const { body } = await kit.author.post(`${route}/queue/${key}/formats/mp4_480/cancel`).expect(200);
    expect([body.status, body.formats[0].status]).to.deep.equal(['cancelled', 'cancelled']);
    await kit.author.post(`${route}/queue/${key}/formats/mp4_480/cancel`).expect(200);
    const until = Date.now() + 6_000;
    while ((await kit.encoders()).length > 0) expect(Date.now()).to.be.lessThan(until);
    while ((await kit.work()).length > 0) expect(Date.now()).to.be.lessThan(until);
    const listing = await kit.author.get(`${route}/attachments/${id}/artifacts`).expect(200);
    expect(listing.body.sources).to.deep.equal([]);

    const { body: retried } = await admin
      .post(`${route}/queue/control`, { action: 'retry', queue_key: key })
      .expect(200);
    expect(retried).to.deep.equal({ paused: false, changed: 1 });
    await kit.until(key, isRunning);
    expect((await kit.author.delete(`${route}/queue/${key}`).expect(200)).body).to.deep.equal({
      ...{ deleted: true, queue_key: key },
    });
    await kit.author.get(`${route}/queue/${key}`).expect(404);
  }).timeout(60_000);

  it('tells of a rising percentage, and wakes who waits', async () => {
    const key = await kit.encode(await kit.upload(slow), ['mp4_480']);
    const seen: number[] = [];
    const entry = await kit.until(key, ({ percent, formats }) => {
      seen.push(percent);
      return (formats[0]?.percent ?? 0) >= 3;
    });
    expect(entry.formats[0]).to.include({ status: 'running', attempts: 1 });
    expect(seen).to.deep.equal(seen.toSorted((a, b) => a - b));
    await kit.author.delete(`${route}/queue/${key}`).expect(200);
  }).timeout(60_000);

  it('takes a format once of two who ask for it at the same time', async () => {
    const id = await kit.upload(short);
    await admin.post(`${route}/queue/control`, { action: 'pause' }).expect(200);
    const ask = () => kit.author.post(`${route}/attachments/${id}/encode`, { formats: ['webm_vp9'] });
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([202, 409, 409, 409]);
    const taken = answers.find(({ status }) => status === 202)?.body;
    const refused = answers.find(({ status }) => status === 409)?.body;
    expect([refused.code, refused.data.queue_key, refused.data.formats]).to.deep.equal([
      ...['format_already_queued', taken.queue_key, ['webm_vp9']],
    ]);
    // All or nothing.
    await kit.author.post(`${route}/attachments/${id}/encode`, { formats: ['mp3', 'webm_vp9'] }).expect(409);
    const { body } = await kit.author.get(`${route}/queue?attachment_id=${id}`).expect(200);
    expect(body).to.have.length(1);
    expect(body[0]).to.include({ status: 'pending', position: 1, paused: true });

    await admin.post(`${route}/queue/control`, { action: 'pause' }).expect(200, { paused: true, changed: 0 });
    expect((await admin.get(`${route}/settings`).expect(200)).body.queue_paused).to.equal(true);
    await admin
      .post(`${route}/queue/control`, { action: 'resume' })
      .expect(200, { paused: false, changed: 1 });
    await admin
      .post(`${route}/queue/control`, { action: 'resume' })
      .expect(200, { paused: false, changed: 0 });
    expect((await kit.ended(taken.queue_key)).status).to.equal('completed');
    const { body: done } = await admin
      .post(`${route}/queue/control`, { action: 'retry', queue_key: taken.queue_key })
      .expect(409);
    expect(done.code).to.equal('nothing_to_retry');
    const late = await kit.author
      .post(`${route}/queue/${taken.queue_key}/formats/webm_vp9/cancel`)
      .expect(409);
    expect(late.body.code).to.equal('cannot_cancel');
    await kit.author.post(`${route}/queue/${taken.queue_key}/formats/hls/cancel`).expect(404);
  }).timeout(60_000);

  it('lets sites take turns', async () => {
    const other: TestSite = await kit.lyceum.make.site();
    const author = await kit.lyceum.make.user({ role: 'author', site: other.blog_id });
    const there = kit.lyceum.as(author, other);
    const holder = await kit.encode(await kit.upload(slow), ['mp4_480']);
    await kit.until(holder, isRunning);
    const keys = [];
    for (let n = 0; n < 3; n += 1) keys.push(await kit.encode(await kit.upload(short), ['mp4_480']));
    const id = await kit.upload(short, 'there.mp4', there);
    const theirs = await kit.encode(id, ['mp4_480'], there);
    await kit.author.delete(`${route}/queue/${holder}`).expect(200);
    for (const key of keys) await kit.ended(key);
    const rows = await kit.lyceum.host.db
      .knex('encode_queue')
      .whereIn('queue_key', [...keys, theirs])
      .orderBy('completed_at')
      .pluck('queue_key');
    expect(rows.indexOf(theirs)).to.be.at.most(1);
    expect(rows.filter((key) => key !== theirs)).to.deep.equal(keys);
    // Another site's entries are not there.
    await kit.author.get(`${route}/queue/${theirs}`).expect(404);
  }).timeout(60_000);

  it('ends what is made of an attachment that is deleted', async () => {
    const id = await kit.upload(slow);
    const key = await kit.encode(id, ['mp4_480']);
    await kit.until(key, isRunning);
    await kit.author.delete(`svc/host/v1/media/${id}?force=true`).expect(200);
    expect((await kit.entry(key)).status).to.equal('cancelled');
    const until = Date.now() + 6_000;
    while ((await kit.encoders()).length > 0) expect(Date.now()).to.be.lessThan(until);
  }).timeout(60_000);

  it('shows everybody his own entries, and editors all', async () => {
    const key = await kit.encode(await kit.upload(short), ['mp3']);
    const other = kit.as(await kit.lyceum.make.user({ role: 'author' }));
    const editor = kit.as(await kit.lyceum.make.user({ role: 'editor' }));
    const { body } = await other.get(`${route}/queue/${key}`).expect(403);
    expect(body.code).to.equal('forbidden');
    await other.delete(`${route}/queue/${key}`).expect(403);
    expect((await other.get(`${route}/queue`).expect(200)).body).to.deep.equal([]);
    await editor.get(`${route}/queue/${key}`).expect(200);
    const listed = await editor.get(`${route}/queue?per_page=1`).expect(200);
    expect(listed.body[0].queue_key).to.equal(key);
    expect(Number(listed.headers['x-svc-total'])).to.be.greaterThan(1);
    for (const wrong of ['nonsense', '00000000-0000-4000-8000-000000000000']) {
      expect((await kit.author.get(`${route}/queue/${wrong}`).expect(404)).body.code).to.equal(
        'queue_not_found',
      );
    }
    await kit.author.get(`${route}/queue/${key}?wait=31`).expect(400);
    await kit.author.get(`${route}/queue?status=done`).expect(400);
    await kit.lyceum.as(nobody).get(`${route}/queue`).expect(401);
    await kit.author.post(`${route}/queue/control`, { action: 'pause' }).expect(403);
    await kit.author.post(`${route}/queue/clear`, {}).expect(403);
    await admin.post(`${route}/queue/control`, { action: 'stop' }).expect(400);
    await admin.post(`${route}/queue/control`, { action: 'retry' }).expect(400);
    await kit.ended(key);
  }).timeout(60_000);

  it('is cleared by what became of entries, active ones too when asked', async () => {
    const running = await kit.encode(await kit.upload(slow), ['mp4_480']);
    await kit.until(running, isRunning);
    const { body: finished } = await admin.post(`${route}/queue/clear`, { status: 'finished' }).expect(200);
    expect(finished.cancelled).to.equal(0);
    expect(finished.deleted).to.be.greaterThan(2);
    await kit.entry(running);
    const { body: all } = await admin.post(`${route}/queue/clear`, { status: 'all' }).expect(200);
    expect(all).to.deep.equal({ deleted: 1, cancelled: 1 });
    expect((await admin.get(`${route}/queue`).expect(200)).body).to.deep.equal([]);
    const actions = await kit.lyceum.host.db
      .knex('audit_log')
      .where('module', 'media_converter')
      .pluck('action');
    expect(actions).to.include.members(['media_converter.queue', 'media_converter.clear']);
  }).timeout(60_000);
});
