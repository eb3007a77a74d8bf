import { expect } from 'chai';
import { MediaKit, route } from './media-kit.ts';

/** Films that nobody would make on purpose. */
describe('media_converter: odd films', () => {
  let kit: MediaKit;
  before(async () => {
    kit = await MediaKit.start();
  });
  after(() => kit.stop());

  const made = async (id: number, what: string, body: object) => {
    const { body: sent } = await kit.author.post(`${route}/attachments/${id}/${what}`, body).expect(202);
    const entry = await kit.ended(sent.queue_key);
    expect(entry.error, what).to.equal(null);
    return (await kit.author.get(`${route}/attachments/${id}/${what}`).expect(200)).body;
  };

  it('one of a single picture has thumbnails and stills', async () => {
    const flash = await kit.make('flash.mp4', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=0.04', '-c:v', 'libx264'],
    ]);
    const id = await kit.upload(flash);
    expect((await made(id, 'thumbnails', { interval_seconds: 5 })).count).to.equal(1);
    expect(await made(id, 'frame-miniatures', { count: 1 })).to.have.length(1);
  }).timeout(60_000);

  it('where the sound goes on after the last picture, that one is shown', async () => {
    const long = await kit.make('long.mp4', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=1'],
      ...['-f', 'lavfi', '-i', 'sine=duration=8', '-c:v', 'libx264', '-c:a', 'aac'],
    ]);
    const stills = await made(await kit.upload(long), 'frame-miniatures', { times: [0.5, 7.5] });
    expect(stills.map(({ time }: { time: number }) => time)).to.deep.equal([0.5, 7.5]);
  }).timeout(60_000);

  it('one that begins late is as long as what is shown of it', async () => {
    const late = await kit.make('late.mkv', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=2', '-c:v', 'libx264'],
      ...['-output_ts_offset', '3'],
    ]);
    const entry = await kit.ended(await kit.encode(await kit.upload(late, 'late.mkv'), ['mp4_480']));
    expect(entry.error).to.equal(null);
    expect((await kit.probe(entry.formats[0]?.url ?? '')).duration).to.be.closeTo(2, 0.2);
  }).timeout(60_000);

  it('containers that the network does not take are told from what is no media, and taken once it does', async () => {
    const flash = await kit.make('film.flv', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=1', '-c:v', 'flv'],
    ]);
    const upload = () => kit.author.post(`${route}/media`).attach('file', flash, 'film.flv');
    const { body: refused } = await upload().expect(400);
    expect(refused).to.have.nested.property('data.reason', 'container_not_allowed');
    await kit.lyceum.make.settings('host', { upload_filetypes: ['mp4', 'flv'] });
    const { body: taken } = await upload().expect(201);
    expect(taken).to.include({ mime_type: 'video/x-flv', video_codec: 'flv1' });
    const key = await kit.encode(taken.attachment_id, ['mp4_480']);
    expect((await kit.ended(key)).status).to.equal('completed');
  }).timeout(60_000);

  it('transport streams are refused as a container, also where ffprobe dies of them', async () => {
    const stream = await kit.make('film.ts', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=1', '-c:v', 'libx264', '-f', 'mpegts'],
    ]);
    const { body } = await kit.author.post(`${route}/media`).attach('file', stream, 'film.ts').expect(400);
    expect(body).to.have.nested.property('data.reason', 'container_not_allowed');
  }).timeout(60_000);
});
