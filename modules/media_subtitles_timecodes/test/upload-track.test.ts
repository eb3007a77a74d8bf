import { expect } from 'chai';
import { saying, srt, TrackKit } from './track-kit.ts';

const russian = saying('Так что же с ёжиком?');
/** The letters of Windows-1251 in a row, from А on. */
const windows1251 = (text: string): Buffer =>
  Buffer.from(
    [...text].map((letter) => {
      const point = letter.codePointAt(0) ?? 0;
      if (letter === 'ё') return 0xb8;
      return point >= 0x410 && point <= 0x44f ? point - 0x410 + 0xc0 : point;
    }),
  );
const utf16 = (text: string, isBig: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};
const utf32 = (text: string, isBig: boolean): Buffer => {
  const points = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [at, point] of points.entries()) {
    if (isBig) bytes.writeUInt32BE(point, at * 4);
    else bytes.writeUInt32LE(point, at * 4);
  }
  return bytes;
};

describe('an uploaded text track', () => {
  let kit: TrackKit;
  before(async () => {
    kit = await TrackKit.start();
  });
  after(() => kit.lyceum.stop());

  const named = (fields: Readonly<Record<string, string>> = {}) => kit.named(fields);

  it('is decoded by its byte order mark, by name, or by its zeros', async () => {
    const marked = `\uFEFF${russian}`;
    for (const [bytes, encoding] of [
      [Buffer.from(russian), undefined],
      [Buffer.from(marked), undefined],
      [Buffer.from(marked), 'windows-1251'],
      [utf16(marked, false), undefined],
      [utf16(marked, true), undefined],
      [utf16(russian, false), undefined],
      [utf16(russian, true), undefined],
      [utf16(russian, true), 'utf-16be'],
      [utf32(marked, false), undefined],
      [utf32(marked, true), undefined],
      [utf32(russian, false), undefined],
      [utf32(russian, true), undefined],
      [windows1251(russian), 'windows-1251'],
      [windows1251(russian.replaceAll('\n', '\r\n')), 'windows-1251'],
    ] as const) {
      const { body } = await kit.upload(bytes, 'a.srt', named(encoding ? { encoding } : {})).expect(201);
      const text = await (await kit.file(body.url)).text();
      expect(text.split('\n')[3]).to.equal('Так что же с ёжиком?');
      expect(body.cues).to.equal(1);
    }
  });

  it('that cannot be decoded is refused', async () => {
    for (const [bytes, encoding] of [
      [windows1251(russian), undefined],
      [utf16('\uFEFF1\n', false).subarray(0, 5), undefined],
      [Buffer.from([0xff, 0xfe, 0, 0, 1, 2]), undefined],
      [Buffer.from([0xff, 0xfe, 0, 0, 0, 0xd8, 0, 0]), undefined],
    ] as const) {
      const { body } = await kit.upload(bytes, 'a.srt', named(encoding ? { encoding } : {})).expect(400);
      expect(body.code).to.equal('invalid_encoding');
    }
    const { body } = await kit.upload(`${srt}\0`, 'a.srt', named()).expect(400);
    expect(body.code).to.equal('invalid_track');
    expect((await kit.upload(srt, 'a.srt', { encoding: 'latin-1' }).expect(400)).body.code).to.equal(
      'rest_invalid_param',
    );
  });

  it('says its language by its name, and is what its content is', async () => {
    const tag = async (name: string, fields: Readonly<Record<string, string>> = {}): Promise<unknown> =>
      (await kit.upload(srt, name, named(fields)).expect(201)).body.srclang;
    expect(await tag('lecture.pt-BR.srt')).to.equal('pt-BR');
    expect(await tag('lecture.pt-BR.srt', { srclang: 'fr' })).to.equal('fr');
    expect(await tag('lecture.v2.vtt')).to.equal('en');
    expect(await tag('ru.srt')).to.equal('en');
    expect(await tag('../../etc/pass.de.txt')).to.equal('de');
    const vtt = await kit.upload('WEBVTT\n\n00:01.000 --> 00:02.000\nx', 'a.srt', named()).expect(201);
    expect(vtt.body.cues).to.equal(1);
    const chapters = await kit.upload('0:00 A', 'a.txt', { kind: 'chapters', default: 'true' }).expect(201);
    expect([chapters.body.kind, chapters.body.default, chapters.body.name.includes('..')]).to.deep.equal([
      ...['chapters', true, false],
    ]);
  });

  it('takes the place of the content of another', async () => {
    const { body: before } = await kit.upload(srt, 'a.de.srt', named()).expect(201);
    const index = String(before.index);
    const { body } = await kit.upload(saying('new'), 'b.fr.srt', { index }).expect(200);
    expect([body.index, body.srclang, body.label, body.cues]).to.deep.equal([
      before.index,
      'de',
      before.label,
      1,
    ]);
    expect(await (await kit.file(body.url)).text()).to.include('new');
    const unknown = await kit.upload(srt, 'a.srt', { index: '999' }).expect(404);
    expect(unknown.body.code).to.equal('track_not_found');
    await kit.upload(srt, 'a.srt', { index: 'x' }).expect(400);
    const etag = await kit.etag();
    await kit.upload(srt, 'a.srt', { index }).set('If-Match', '"old"').expect(412);
    await kit.upload(srt, 'a.srt', { index }).set('If-Match', etag).expect(200);
  });

  it('is one file, of some bytes, below the limit', async () => {
    const missing = await kit.author.post(kit.route('/upload')).field('kind', 'subtitles').expect(400);
    expect([missing.body.code, missing.body.data.params]).to.deep.equal([
      'rest_missing_callback_param',
      ['file'],
    ]);
    await kit.upload('', 'a.srt').expect(400);
    await kit.author
      .post(kit.route('/upload'))
      .attach('file', Buffer.from(srt), 'a')
      .attach('file', Buffer.from(srt), 'b')
      .expect(400);
    await kit.author.post(kit.route('/upload'), { content: srt }).expect(415);
    for (const bytes of [2 * 1024 * 1024 + 1, 11 * 1024 * 1024]) {
      const { body } = await kit.upload(Buffer.alloc(bytes, 'x'), 'a.srt').expect(413);
      expect(body.code).to.equal('rest_body_too_large');
    }
    const before = await kit.list();
    for (const content of ['{"a": 1}', '<html><body>x', Buffer.from('89504e470d0a1a0a', 'hex')]) {
      const { status, body } = await kit.upload(content, 'a.vtt');
      expect([status, ['invalid_track', 'invalid_encoding'].includes(body.code)]).to.deep.equal([400, true]);
    }
    expect(await kit.list()).to.deep.equal(before);
  });

  it('repeated with its Idempotency-Key after a lost answer is there once', async () => {
    const send = () => kit.upload(srt, 'a.srt', { label: 'Once' }).set('Idempotency-Key', 'one');
    const [first, second] = [await send().expect(201), await send().expect(201)];
    expect(second.body).to.deep.equal(first.body);
    expect((await kit.list()).filter((track) => track.label === 'Once')).to.have.length(1);
  });
});
