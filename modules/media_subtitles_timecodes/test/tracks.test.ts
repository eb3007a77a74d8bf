import { runSchedule } from '@lyceum/core/testing';
import { expect } from 'chai';
import { saying, space, srt, TrackKit } from './track-kit.ts';

describe('text tracks', () => {
  let kit: TrackKit;
  let now: Date;
  beforeEach(async () => {
    now = new Date();
    kit = await TrackKit.start({ now: () => now });
  });
  afterEach(() => kit.lyceum.stop());

  it('are normalized to WebVTT and served to players anywhere', async () => {
    const { body, headers } = await kit.add({ kind: 'subtitles', srclang: 'en', content: srt }).expect(201);
    expect(body).to.deep.include({
      ...{ index: 0, kind: 'subtitles', srclang: 'en', label: 'English', default: false },
      ...{ cues: 1, duration: 3, created_at: now.toISOString(), updated_at: now.toISOString() },
    });
    expect(headers.location).to.match(/\/svc\/media-subtitles-timecodes\/v1\/attachments\/\d+\/tracks$/);
    expect(body.name).to.match(/^lekciya-1-subtitles-en-[0-9a-f]{8}\.vtt$/);
    expect(body.url).to.match(new RegExp(`/files/artifacts/${kit.id}-[0-9a-f]{32}/subtitles/${body.name}$`));
    const file = await kit.file(body.url);
    const text = await file.text();
    expect(text).to.equal('WEBVTT\n\n00:00:01.500 --> 00:00:03.000\nHi <b>you</b> &amp; me\n');
    expect(Buffer.byteLength(text)).to.equal(body.bytes);
    expect(file.headers.get('content-type')).to.equal('text/vtt; charset=utf-8');
    expect(file.headers.get('access-control-allow-origin')).to.equal('*');
    expect(file.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(await kit.list()).to.deep.equal([body]);
  });

  it('of one kind, language and label are one', async () => {
    const first = { srclang: 'en', content: srt };
    await kit.add(first).expect(201);
    const { body } = await kit.add({ ...first, srclang: 'EN' }).expect(409);
    expect([body.code, body.data.index]).to.deep.equal(['track_exists', 0]);
    await kit.add({ ...first, label: 'English (CC)' }).expect(201);
    await kit.add({ ...first, kind: 'captions' }).expect(201);
    const patch = await kit.author.patch(kit.route('/1'), { label: 'English' }).expect(409);
    expect([patch.body.code, patch.body.data.index]).to.deep.equal(['track_exists', 0]);
    expect((await kit.list()).map(({ label }) => label)).to.deep.equal([
      'English',
      'English (CC)',
      'English',
    ]);
  });

  it('keep their index, and none is given twice', async () => {
    await kit.add({ srclang: 'en', content: srt }).expect(201);
    await kit.add({ srclang: 'de', content: srt }).expect(201);
    const { body } = await kit.author.delete(kit.route('/0')).expect(200);
    expect(body).to.deep.equal({ deleted: true, index: 0 });
    expect((await kit.list()).map(({ index }) => index)).to.deep.equal([1]);
    expect((await kit.add({ srclang: 'fr', content: srt }).expect(201)).body.index).to.equal(2);
    await kit.author.put(kit.route(), { tracks: [] }).expect(200);
    expect(await kit.list()).to.deep.equal([]);
    expect((await kit.add({ content: srt }).expect(201)).body.index).to.equal(3);
    const gone = await kit.author.delete(kit.route('/0')).expect(404);
    expect(gone.body.code).to.equal('track_not_found');
  });

  it('have one default in each group', async () => {
    await kit.add({ srclang: 'en', content: srt, default: true }).expect(201);
    await kit.add({ srclang: 'de', content: srt }).expect(201);
    await kit.author.patch(kit.route('/1'), { default: true }).expect(200);
    expect(await kit.defaults()).to.deep.equal([1]);
    await kit.add({ kind: 'captions', srclang: 'en', content: srt, default: true }).expect(201);
    expect(await kit.defaults()).to.deep.equal([2]);
    await kit.add({ kind: 'chapters', content: '0:00 A', default: true }).expect(201);
    await kit.add({ kind: 'descriptions', content: srt, default: true }).expect(201);
    expect(await kit.defaults()).to.deep.equal([2, 3, 4]);
    // Whoever comes into a group as its default takes the place of the old one.
    await kit.author.patch(kit.route('/4'), { kind: 'subtitles', srclang: 'fr' }).expect(200);
    expect(await kit.defaults()).to.deep.equal([3, 4]);
    await kit.author.delete(kit.route('/4')).expect(200);
    expect(await kit.defaults()).to.deep.equal([3]);
    const wrong = await kit.add({ kind: 'metadata', content: srt, default: true }).expect(400);
    expect(Object.keys(wrong.body.data.params)).to.deep.equal(['default']);
    await kit.author.patch(kit.route('/3'), { kind: 'metadata' }).expect(200);
    expect(await kit.defaults()).to.deep.equal([]);
    await kit.author.patch(kit.route('/3'), { default: true }).expect(400);
  });

  it('get a language, a label and a kind where none is given', async () => {
    const labels = async (fields: object): Promise<unknown> => {
      const { body } = await kit.add({ content: srt, ...fields }).expect(201);
      return [body.kind, body.srclang, body.label];
    };
    expect(await labels({})).to.deep.equal(['subtitles', 'en', 'English']);
    expect(await labels({ srclang: 'RU' })).to.deep.equal(['subtitles', 'ru', 'русский']);
    expect(await labels({ srclang: 'PT-br', label: '' })).to.deep.equal([
      ...['subtitles', 'pt-BR', 'português (Brasil)'],
    ]);
    expect(await labels({ srclang: 'sr-latn', label: ' A\u0007\nB ' })).to.deep.equal([
      ...['subtitles', 'sr-Latn', 'AB'],
    ]);
    expect(await labels({ kind: 'chapters' })).to.deep.equal(['chapters', 'en', 'Chapters']);
    expect(await labels({ kind: 'metadata', srclang: '' })).to.deep.equal(['metadata', '', 'Metadata']);
    await kit.lyceum.make.settings('media_subtitles_timecodes', { default_srclang: 'de' });
    expect(await labels({})).to.deep.equal(['subtitles', 'de', 'Deutsch']);
    for (const srclang of ['../x', 'en_US', 'x'.repeat(300), 'en-', '*', '<b>']) {
      const { body } = await kit.add({ srclang, content: srt }).expect(400);
      expect([body.code, Object.keys(body.data.params)], srclang).to.deep.equal([
        'rest_invalid_param',
        ['srclang'],
      ]);
    }
    await kit.add({ srclang: '', content: srt }).expect(400);
  });

  it('are filtered, and show their cues when asked', async () => {
    await kit.add({ srclang: 'en', content: srt }).expect(201);
    await kit
      .add({
        kind: 'captions',
        srclang: 'de',
        cues: [{ start: 0, end: 1.25, text: 'a', id: 'x', settings: 'align:start foo:1' }],
      })
      .expect(201);
    await kit.add({ kind: 'chapters', content: '0:00 A' }).expect(201);
    const kinds = async (query: string): Promise<unknown[]> =>
      (await kit.list(query)).map(({ kind }) => kind);
    expect(await kinds('?kind=captions,chapters')).to.deep.equal(['captions', 'chapters']);
    expect(await kinds('?srclang=EN')).to.deep.equal(['subtitles', 'chapters']);
    expect(await kinds('?srclang=fr')).to.deep.equal([]);
    const [, captions] = await kit.list('?include=cues');
    expect(captions?.items).to.deep.equal([
      { id: 'x', start: 0, end: 1.25, text: 'a', settings: 'align:start' },
    ]);
    expect((await kit.list())[0]).not.to.have.property('items');
    for (const query of ['?kind=songs', '?srclang=en_US', '?include=all'])
      await kit.author.get(kit.route(query)).expect(400);
  });

  it('change: given fields alone, content under a new address', async () => {
    const { body: before } = await kit.add({ srclang: 'en', content: srt }).expect(201);
    now = new Date(now.getTime() + 60_000);
    const empty = await kit.author.patch(kit.route('/0'), {}).expect(200);
    expect(empty.body).to.deep.equal(before);
    const { body: named } = await kit.author.patch(kit.route('/0'), { label: 'Untertitel' }).expect(200);
    expect(named).to.deep.equal({ ...before, label: 'Untertitel', updated_at: now.toISOString() });
    const { body: after } = await kit.author.patch(kit.route('/0'), { content: saying('new') }).expect(200);
    expect(after.url).not.to.equal(before.url);
    expect([after.index, after.label, after.created_at]).to.deep.equal([0, 'Untertitel', before.created_at]);
    // Those who began with the old file go on for an hour.
    expect((await kit.file(before.url)).status).to.equal(200);
    now = new Date(now.getTime() + 61 * 60_000);
    await runSchedule(kit.lyceum, 'host.sweep-artifacts');
    expect((await kit.file(before.url)).status).to.equal(404);
    expect(await (await kit.file(after.url)).text()).to.include('new');
    const { body: same } = await kit.author.patch(kit.route('/0'), { content: saying('new') }).expect(200);
    expect(same.url).to.equal(after.url);
    const { body: moved } = await kit.author.patch(kit.route('/0'), { kind: 'chapters' }).expect(200);
    expect(moved.url).to.include('/chapters/lekciya-1-chapters-en-');
    expect([moved.kind, moved.label, moved.cues]).to.deep.equal(['chapters', 'Untertitel', 1]);
    const { body: back } = await kit.author
      .patch(kit.route('/0'), { kind: 'captions', srclang: 'de' })
      .expect(200);
    expect(back.url).to.include('/subtitles/lekciya-1-captions-de-');
  });

  it('stay as they are when a change cannot be', async () => {
    const twice = '1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:01,000 --> 00:00:03,000\nb';
    await kit.add({ content: twice }).expect(201);
    const before = await kit.list();
    const { body } = await kit.author.patch(kit.route('/0'), { kind: 'chapters' }).expect(400);
    expect(body.code).to.equal('invalid_track');
    await kit.author.patch(kit.route('/0'), { content: 'nothing' }).expect(400);
    await kit.author.patch(kit.route('/0'), { srclang: '' }).expect(400);
    await kit.author.patch(kit.route('/0'), { label: null }).expect(400);
    await kit.author.patch(kit.route('/0'), { content: srt, cues: [] }).expect(400);
    expect(await kit.list()).to.deep.equal(before);
  });

  it('are told apart by 404 and 400 when there is none', async () => {
    for (const index of ['1', '2147483648', '99999999999999999999']) {
      const { body } = await kit.author.patch(kit.route(`/${index}`), {}).expect(404);
      expect(body.code).to.equal('track_not_found');
    }
    for (const index of ['-1', 'abc', '1.5', '%20', '00']) {
      const { body } = await kit.author.delete(kit.route(`/${index}`)).expect(400);
      expect([body.code, Object.keys(body.data.params)]).to.deep.equal(['rest_invalid_param', ['index']]);
    }
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const picture = await kit.author.post('svc/host/v1/media').attach('file', png, 'a.png').expect(201);
    for (const [id, status, code] of [
      [picture.body.id, 400, 'not_media_attachment'],
      [99_999, 404, 'attachment_not_found'],
      [0, 404, 'attachment_not_found'],
      [-1, 404, 'attachment_not_found'],
      ['9223372036854775808', 404, 'attachment_not_found'],
      ['abc', 404, 'rest_no_route'],
    ] as const) {
      const route = `${space}/attachments/${id}/tracks`;
      for (const { body } of [
        await kit.author.get(route).expect(status),
        await kit.author.post(route, { content: srt }).expect(status),
        await kit.author.put(route, { tracks: [] }).expect(status),
        await kit.author.patch(`${route}/0`, { label: 'x' }).expect(status),
        await kit.author.delete(`${route}/0`).expect(status),
        await kit.author.post(`${route}/upload`).attach('file', Buffer.from(srt), 'a.srt').expect(status),
      ])
        expect(body.code, String(id)).to.equal(code);
    }
  });

  it('need exactly one form of content', async () => {
    const missing = await kit.add({ kind: 'chapters' }).expect(400);
    expect([missing.body.code, missing.body.data.params]).to.deep.equal([
      ...['rest_missing_callback_param', ['content']],
    ]);
    const both = await kit.add({ content: srt, cues: [{ start: 0, end: 1, text: 'a' }] }).expect(400);
    expect(both.body.code).to.equal('rest_invalid_param');
    for (const wrong of [
      { content: 5 },
      { content: srt, kind: 'songs' },
      { content: srt, format: 'ass' },
      { content: srt, label: 'x'.repeat(101) },
      { content: srt, default: 'yes' },
      { cues: 'x' },
      { cues: {} },
      { cues: [1] },
      { cues: [{ start: '0', end: 1, text: 'a' }] },
      { cues: [{ start: 0, end: 1 }] },
      { cues: [{ start: 0, end: 1, text: 'a', id: 'a\nb' }] },
      { timecodes: [{ time: 0, title: 'A' }] },
      { kind: 'chapters', timecodes: [{ time: 0, title: ' ' }] },
      { content: '0:00 A', format: 'timecodes' },
    ]) {
      const { body } = await kit.add(wrong).expect(400);
      expect(body.code, JSON.stringify(wrong)).to.equal('rest_invalid_param');
    }
    expect(await kit.list()).to.deep.equal([]);
  });

  it('are as many and as long as the site allows', async () => {
    await kit.lyceum.make.settings('media_subtitles_timecodes', { max_tracks: 2, max_track_bytes: 1024 });
    const long = { content: saying('x'.repeat(1024)) };
    expect((await kit.add(long).expect(413)).body.code).to.equal('rest_body_too_large');
    await kit.upload(long.content, 'a.srt').expect(413);
    await kit.add({ srclang: 'en', content: srt }).expect(201);
    await kit.add({ srclang: 'de', content: srt }).expect(201);
    expect((await kit.add({ srclang: 'fr', content: srt }).expect(400)).body.code).to.equal(
      'too_many_tracks',
    );
    await kit.author
      .put(kit.route(), { tracks: ['a', 'b', 'c'].map((label) => ({ label, content: srt })) })
      .expect(400);
    expect(await kit.list()).to.have.length(2);
    await kit.author.put(kit.route(), { tracks: [{ srclang: 'fr', content: srt }] }).expect(200);
  });

  it('go with their attachment, and are not found in the trash', async () => {
    const { body } = await kit.add({ content: srt }).expect(201);
    await kit.author.delete(`svc/host/v1/media/${kit.id}`).expect(200);
    for (const answer of [
      await kit.author.get(kit.route()).expect(404),
      await kit.add({ content: srt }).expect(404),
    ])
      expect(answer.body.code).to.equal('attachment_not_found');
    await kit.author.delete(`svc/host/v1/media/${kit.id}?force=true`).expect(200);
    expect((await kit.file(body.url)).status).to.equal(404);
    expect(await kit.lyceum.host.db.knex('media_tracks')).to.deep.equal([]);
  });
});
