import { expect } from 'chai';
import { MediaKit, route } from './media-kit.ts';

describe('media_converter: encoding', () => {
  let kit: MediaKit;
  before(async () => {
    kit = await MediaKit.start();
  });
  after(() => kit.stop());

  it('makes files that browsers play, without what the film tells of its maker', async () => {
    const film = await kit.film('1280x720', 12, [
      '-metadata',
      'location=+48.1-11.5/',
      '-metadata',
      'title=secret',
    ]);
    const id = await kit.upload(film);
    const key = await kit.encode(id, ['mp4_720', 'mp4_480', 'mp4_720']);
    const entry = await kit.ended(key);
    expect(entry.error).to.equal(null);
    expect(entry).to.include({ status: 'completed', percent: 100, position: null });
    expect(entry.formats.map(({ format, percent }) => [format, percent])).to.deep.equal([
      ['mp4_720', 100],
      ['mp4_480', 100],
    ]);
    for (const [at, [width, height]] of [
      [1280, 720],
      [852, 480],
    ].entries()) {
      const { url, bytes } = entry.formats[at] ?? { url: '', bytes: 0 };
      const content = await kit.fetch(url);
      expect(content.length).to.equal(bytes);
      // The index comes first.
      expect(content.indexOf('moov')).to.be.lessThan(content.indexOf('mdat'));
      expect(content.includes('secret') || content.includes('+48.1')).to.equal(false);
      const info = await kit.probe(url);
      expect(info).to.include({ width, height, video_codec: 'h264', audio_codec: 'aac', audio_channels: 2 });
      expect(info.duration).to.be.closeTo(12, 1);
    }
    const { body } = await kit.author.get(`${route}/attachments/${id}`).expect(200);
    expect(body).to.include({ kind: 'video', width: 1280, height: 720, rotation: 0, duration: 12 });
    expect(body.formats.mp4_720).to.deep.include({ exists: true, applicable: true, reason: null });
    expect(body.formats.mp4_1080).to.deep.include({ exists: false, applicable: false, reason: 'upscale' });
    expect(body.queue_keys).to.deep.equal([]);
    expect(await kit.work()).to.deep.equal([]);
  });
});
