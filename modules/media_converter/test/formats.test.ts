import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { MediaKit, route } from './media-kit.ts';

/** Every format of the table, of films as phones, cameras and screens make them. */
describe('media_converter: formats', () => {
  let kit: MediaKit;
  before(async () => {
    kit = await MediaKit.start();
    await kit.lyceum.make.settings('media_converter', {
      preset: 'ultrafast',
      enabled_formats: (await kit.author.get(`${route}/formats`).expect(200)).body.map(
        ({ key }: { key: string }) => key,
      ),
    });
  });
  after(() => kit.stop());

  async function made(id: number, format: string) {
    const entry = await kit.ended(await kit.encode(id, [format]));
    expect(entry.error, format).to.equal(null);
    return entry.formats[0]?.url ?? '';
  }

  it('are all there, with this ffmpeg', async () => {
    const { body } = await kit.author.get(`${route}/formats`).expect(200);
    expect(body.map(({ key }: { key: string }) => key)).to.deep.equal([
      ...['mp4_1080', 'mp4_720', 'mp4_480', 'webm_vp9', 'webm_av1', 'hls', 'mp3', 'ogg_opus', 'm4a_aac'],
    ]);
    expect(body.every(({ available }: { available: boolean }) => available)).to.equal(true);
    expect(body[1]).to.deep.equal({
      ...{ key: 'mp4_720', label: 'MP4 720p', kind: 'video', container: 'mp4', mime_type: 'video/mp4' },
      ...{ video_codec: 'h264', audio_codec: 'aac', height: 720, enabled: true, available: true },
    });
  });

  it('are what they say', async () => {
    const id = await kit.upload(await kit.film('320x180', 2));
    const expected = {
      mp4_480: ['h264', 'aac', '.mp4'],
      webm_vp9: ['vp9', 'opus', '.webm'],
      webm_av1: ['av1', 'opus', '.webm'],
      mp3: [null, 'mp3', '.mp3'],
      ogg_opus: [null, 'opus', '.ogg'],
      m4a_aac: [null, 'aac', '.m4a'],
    } as const;
    for (const [format, [video, audio, ending]] of Object.entries(expected)) {
      const url = await made(id, format);
      expect(url.endsWith(ending), url).to.equal(true);
      const info = await kit.probe(url);
      expect(info, format).to.include({ video_codec: video, audio_codec: audio });
      expect(info.duration).to.be.closeTo(2, 1);
      if (video !== null) expect(info).to.include({ width: 320, height: 180 });
    }
  }).timeout(120_000);

  it('turn a phone film upright and make odd sides even', async () => {
    const upright = await kit.film('1080x1920', 1);
    const id = await kit.upload(upright);
    expect(await kit.probe(await made(id, 'mp4_720'))).to.include({ width: 720, height: 1280, rotation: 0 });

    const plain = await kit.film('640x360', 1);
    await writeFile(`${kit.folder()}/plain.mp4`, plain);
    const turned = await kit.make('turned.mp4', [
      ...['-display_rotation', '90', '-i', `${kit.folder()}/plain.mp4`, '-c', 'copy'],
    ]);
    const phone = await kit.upload(turned);
    const { body } = await kit.author.get(`${route}/attachments/${phone}`).expect(200);
    expect(body).to.include({ width: 360, height: 640, rotation: 270 });
    expect(await kit.probe(await made(phone, 'mp4_480'))).to.include({
      width: 360,
      height: 640,
      rotation: 0,
    });

    const odd = await kit.upload(
      await kit.make('odd.mp4', [
        ...['-f', 'lavfi', '-i', 'testsrc2=size=642x364:rate=10:duration=1,format=yuv444p,scale=641:363'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p'],
      ]),
    );
    const info = await kit.probe(await made(odd, 'mp4_480'));
    expect(info).to.include({ width: 640, height: 362, audio_codec: null });
    expect(info.video_codecs).to.match(/^avc1\.6400/);
  }).timeout(60_000);

  it('take the first picture and sound of many streams, and no cover', async () => {
    const many = await kit.make('many.mkv', [
      ...[
        '-f',
        'lavfi',
        '-i',
        'testsrc2=size=320x180:rate=10:duration=2',
        '-f',
        'lavfi',
        '-i',
        'sine=duration=2',
      ],
      ...['-f', 'lavfi', '-i', 'sine=frequency=880:duration=2', '-map', '0', '-map', '1', '-map', '2'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ]);
    const id = await kit.upload(many, 'many.mkv');
    expect(await kit.probe(await made(id, 'mp4_480'))).to.include({ audio_codec: 'aac', audio_stream: 1 });

    const song = await kit.make('song.mp3', [
      ...['-f', 'lavfi', '-i', 'sine=duration=2', '-f', 'lavfi', '-i', 'color=c=red:s=64x64:d=1'],
      ...['-map', '0', '-map', '1', '-frames:v', '1', '-c:v', 'mjpeg', '-disposition:v', 'attached_pic'],
    ]);
    const sound = await kit.upload(song, 'song.mp3');
    const { body } = await kit.author.get(`${route}/attachments/${sound}`).expect(200);
    expect(body).to.include({ kind: 'audio', width: null, video_codec: null });
    expect(body.formats.mp4_480.reason).to.equal('no_video');
    expect(await kit.probe(await made(sound, 'm4a_aac'))).to.include({ kind: 'audio', video_codec: null });
    const { body: refused } = await kit.author
      .post(`${route}/attachments/${sound}/encode`, { formats: ['hls'] })
      .expect(400);
    expect([refused.code, refused.data.formats]).to.deep.equal([
      'format_not_applicable',
      { hls: 'no_video' },
    ]);
  }).timeout(60_000);

  it('keep the times of frames that come as they like, and at most 60 in a second', async () => {
    const uneven = await kit.make('vfr.mp4', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=30:duration=4'],
      ...[
        '-vf',
        "select='lt(n,40)+not(mod(n,7))'",
        '-fps_mode',
        'vfr',
        '-c:v',
        'libx264',
        '-pix_fmt',
        'yuv420p',
      ],
    ]);
    const info = await kit.probe(await made(await kit.upload(uneven), 'mp4_480'));
    expect(info.duration).to.be.closeTo(4, 0.5);
    const quick = await kit.make('quick.mp4', [
      ...[
        '-f',
        'lavfi',
        '-i',
        'testsrc2=size=320x240:rate=120:duration=1',
        '-c:v',
        'libx264',
        '-pix_fmt',
        'yuv420p',
      ],
    ]);
    expect((await kit.probe(await made(await kit.upload(quick), 'mp4_480'))).frame_rate).to.be.at.most(60);
  }).timeout(60_000);

  it('hls is a ladder whose rates were measured', async () => {
    const id = await kit.upload(await kit.film('1280x720', 7));
    const url = await made(id, 'hls');
    expect(url).to.match(/\/sources\/film-hls-[0-9a-f]{8}\/master\.m3u8$/);
    const master = (await kit.fetch(url)).toString();
    const lines = master.trim().split('\n');
    const variants = lines.flatMap((line, at) =>
      line.startsWith('#EXT-X-STREAM-INF:') ? [{ line, uri: lines[at + 1] ?? '' }] : [],
    );
    expect(variants.map(({ uri }) => uri)).to.deep.equal([720, 480, 360].map((rung) => `${rung}/index.m3u8`));
    for (const { line, uri } of variants) {
      expect(line).to.match(/RESOLUTION=\d+x\d+/);
      expect(line).to.match(/CODECS="avc1\.64[0-9a-f]{4},mp4a\.40\.2"/);
      const said = Number(/[:,]BANDWIDTH=(\d+)/.exec(line)?.[1]);
      const average = Number(/AVERAGE-BANDWIDTH=(\d+)/.exec(line)?.[1]);
      expect(average).to.be.at.most(said);
      const playlist = (await kit.fetch(url.replace('master.m3u8', uri))).toString();
      expect(playlist).to.include('#EXT-X-PLAYLIST-TYPE:VOD').and.include('#EXT-X-ENDLIST');
      const segments = [...playlist.matchAll(/#EXTINF:([\d.]+),\s+(\S+)/g)];
      expect(segments).to.have.length(2);
      for (const [, seconds, file] of segments) {
        const base = url.replace('master.m3u8', uri.replace('index.m3u8', ''));
        const bytes = await kit.fetch(`${base}${file}`);
        expect((8 * bytes.length) / Number(seconds)).to.be.at.most(said);
      }
    }
    expect(master).to.include('#EXT-X-INDEPENDENT-SEGMENTS');
  }).timeout(60_000);

  it('a file that is cut off fails, and says why without a path', async () => {
    const film = await kit.film('320x180', 8, ['-movflags', '+faststart']);
    const cut = await kit.author
      .post(`${route}/media`)
      .attach('file', film.subarray(0, Math.floor(film.length / 3)), 'cut.mp4');
    expect(cut.status).to.equal(201);
    const entry = await kit.ended(await kit.encode(cut.body.attachment_id, ['mp4_480']));
    expect(entry.formats[0]?.error?.code).to.equal('encode_failed');
    expect(JSON.stringify(entry)).not.to.include(kit.lyceum.dataDir);
    expect(await kit.work()).to.deep.equal([]);
    const { body } = await kit.author
      .get(`${route}/attachments/${cut.body.attachment_id}/artifacts`)
      .expect(200);
    expect(body.sources).to.deep.equal([]);
  }).timeout(60_000);
});
